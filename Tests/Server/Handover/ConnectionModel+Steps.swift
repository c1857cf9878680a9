import DaybookProtocol
import JSONRPC

@testable import DaybookServer

extension ConnectionModel {
  /// The states after a step of a thread; none while it has to wait.
  func after(_ step: Step, _ thread: Thread) -> [ConnectionModel] {
    switch step {
    case .read, .borrow, .work, .stopIfFull, .afterWork, .put: return [reading(step)]
    case .end(let stage): return [ending(stage)]
    case .signal(let stage): return [signalled(stage)]
    case .send, .rouse, .look, .asleep, .perform, .giveBack, .callThread: return executing(step, thread)
    case .take, .takeOn, .endTrying, .flush, .receive, .postpone, .commit, .gate, .hold, .answer:
      return [answering(step, thread)]
    case .write, .synchronize, .open, .start, .begun: return committing(step)
    case .heavyWork, .leave, .sendLate, .left: return working(step)
    case .timer:
      guard shared.timers > 0 else { return [] }
      var model = self
      model.shared.timers -= 1
      return [model.going(thread, [.send(.retry), .timer])]
    case .unlock:
      var model = self
      model.shared.isLocked = false
      return [model]
    case .poll: return [traffic.hasMessages ? going(thread, [.send(.take)]) : self]
    case .cancel(let message):
      var model = self
      _ = model.traffic.cancel(ConnectionModel.id(message))
      return [model]
    }
  }

  // MARK: the reader

  /// Whether the reader may work on a message at once.
  private var isFree: Bool { mistake == .overtaking ? !traffic.hasMessages : traffic.isSettled }

  private func reading(_ step: Step) -> ConnectionModel {
    var model = self
    switch step {
    case .read:
      guard !shared.isEnding else { return self }
      guard let chunk = shared.chunks.first else { return ends ? going(.reader, [.end(0)]) : self }
      model.shared.chunks.removeFirst()
      model.shared.decoder = chunk
      model.shared.hasStopped = false
      return model.going(.reader, [isFree && !isFull ? .borrow : .put, .read])
    case .borrow:
      guard model.shared.executor.borrow(Thread.reader.id) else { return going(.reader, [.put]) }
      guard !shared.isEnding else { return model.going(.reader, [.giveBack, .callThread]) }
      return model.going(.reader, [.work, .flush, .giveBack, .callThread, .afterWork])
    case .work:
      guard !shared.hasStopped, let message = shared.decoder.first else { return self }
      model.shared.decoder.removeFirst()
      return model.going(.reader, [.receive(message), .stopIfFull, .work])
    case .stopIfFull:
      if isFull { model.shared.hasStopped = true }
      return model
    case .afterWork:
      let isLeft = mistake != .stopping && (shared.hasStopped || !traffic.isSettled)
      return isLeft && !(mistake == .leaving && traffic.isSettled) ? going(.reader, [.put]) : self
    default:
      guard let message = shared.decoder.first else { return self }
      model.shared.decoder.removeFirst()
      let isNeeded = [UInt8(message)].withUnsafeBytes {
        model.traffic.enqueue($0, (ConnectionModel.id(message), ""), at: ConnectionModel.now)
      }
      return model.going(.reader, (isNeeded && mistake != .scheduling ? [.send(.take)] : []) + [.put])
    }
  }

  private var isExecutorIdle: Bool { shared.executor.owner == 0 && shared.executor.jobs.isEmpty }
  private var isQuiet: Bool { traffic.hasNoReplies && (mistake == .asking || traffic.unfinishedRequests == 0) }

  /// The end of the input: one look after another, as a condition of two is no single step.
  private func ending(_ stage: Int) -> ConnectionModel {
    var model = self
    switch stage {
    case 0: return going(.reader, [.end(traffic.isSettled || mistake == .settling && !traffic.hasMessages ? 1 : 0)])
    case 1: return going(.reader, [.end(isExecutorIdle ? 2 : 0)])
    case 2: return going(.reader, [.end(traffic.unfinishedRequests == 0 ? 3 : 2)])
    case 3: return going(.reader, [.end(isQuiet ? 4 : 3)])
    default:
      guard isExecutorIdle else { return going(.reader, [.end(3)]) }
      model.shared.hasEnded = true
      return model
    }
  }

  /// The end by a signal.
  private func signalled(_ stage: Int) -> ConnectionModel {
    var model = self
    switch stage {
    case 0:
      model.shared.isEnding = true
      model.shared.inHand = shared.begun.filter { !shared.answered.contains($0) }
      return model.going(.watcher, [.signal(mistake == .signalling ? 2 : 1)])
    case 1, 3: return going(.watcher, [.signal(isExecutorIdle ? stage + 1 : stage)])
    case 2: return going(.watcher, [.signal(traffic.hasNoReplies ? 3 : 2)])
    default:
      model.traffic.isClosed = true
      model.shared.hasEnded = true
      return model
    }
  }

  // MARK: the executor

  private func executing(_ step: Step, _ thread: Thread) -> [ConnectionModel] {
    var model = self
    switch step {
    case .send(let job):
      let call = model.shared.executor.add(job)
      return [model.going(thread, [.rouse(call)])]
    case .rouse(.nobody): return [self]
    case .rouse(.start): return [going(.own, [.look])]
    case .rouse(.wake):
      model.shared.permits += 1
      return [model]
    case .asleep:
      guard shared.permits > 0 else { return [] }
      model.shared.permits -= 1
      return [model.going(thread, [.look])]
    case .look:
      guard let job = model.shared.executor.takeFirst(thread.id) else { return [model.going(thread, [.asleep])] }
      return [model.going(thread, [.perform(job), .giveBack, .callThread, .look])]
    case .giveBack:
      guard let job = model.shared.executor.next() else { return [model] }
      return [model.going(thread, [.perform(job), .giveBack])]
    case .callThread:
      let call = model.shared.executor.wakeThread()
      return [model.going(thread, [.rouse(call)])]
    case .perform(.take): return [going(thread, [.take])]
    case .perform(.retry):
      model.traffic.isRetryScheduled = false
      return [model.going(thread, [.take])]
    default: return [rollingBack(thread)]
    }
  }

  /// Takes back what could not be made durable, and answers it again.
  private func rollingBack(_ thread: Thread) -> ConnectionModel {
    var model = self
    model.shared.hasFailed = false
    model.shared.latest = shared.durable
    model.traffic.durable = shared.durable
    let (held, isReleased) = model.traffic.withdraw()
    let again = mistake == .takingBack ? [] : held.flatMap { [Step.gate(Int($0.message[0])), .flush] }
    return model.going(thread, again + [.begun] + (isReleased && mistake != .withdrawing ? [.send(.take)] : []))
  }

  // MARK: the session

  private func answering(_ step: Step, _ thread: Thread) -> ConnectionModel {
    var model = self
    switch step {
    case .take:
      if isFull, model.traffic.awaitRelease() { return model }
      guard case .message(let text, let id, let isCancelled)? = model.traffic.next() else { return model }
      let message = Int(text[0])
      model.shared.hasPutBack = false
      return model.going(
        thread,
        [isCancelled ? .answer(message) : .receive(message)] + (id == nil ? [] : [.endTrying]) + [.flush, .takeOn])
    case .takeOn: return shared.hasPutBack ? self : going(thread, [.take])
    case .endTrying: model.traffic.attempt = nil
    case .flush:
      model.shared.answered += shared.unflushed
      model.shared.unflushed = []
    case .receive(let message):
      if kinds[message] != .write || !shared.isLocked {
        model.shared.isOutOfOrder = message < shared.latestWorkedOn
        model.shared.latestWorkedOn = message
      }
      guard kinds[message] == .write else { return model.going(thread, [.gate(message)]) }
      return model.going(thread, [shared.isLocked ? .postpone(message) : .commit(message)])
    case .postpone(let message):
      if mistake == .counting { model.traffic.isRetryScheduled = false }
      let needsRetry = [UInt8(message)].withUnsafeBytes {
        model.traffic.requeue($0, (ConnectionModel.id(message), ""), at: ConnectionModel.now)
      }
      if shared.stacks[thread.rawValue].first == .stopIfFull {
        model.shared.hasStopped = true
      } else {
        model.shared.hasPutBack = true
      }
      if needsRetry, mistake != .retrying { model.shared.timers += 1 }
    case .commit(let message):
      // While a failure was not rolled back a change is refused.
      if !shared.hasFailed {
        model.shared.latest += 1
        model.shared.lines.append(model.shared.latest)
        model.shared.begun.append(message)
      }
      return model.going(thread, [.gate(message)])
    case .gate(let message):
      if kinds[message] == .heavy, traffic.requests[ConnectionModel.id(message)] == nil {
        _ = model.traffic.add(ConnectionModel.id(message), method: "", state: .queued, since: ConnectionModel.now)
      }
      return model.going(thread, [shared.latest > traffic.durable ? .hold(message) : .answer(message)])
    case .hold(let message):
      return model.traffic.hold(reply(message), at: ConnectionModel.now) ? model : going(thread, [.answer(message)])
    case .answer(let message):
      if kinds[message] == .heavy {
        model.shared.started.append(message)
      } else {
        model.shared.unflushed.append(message)
      }
    default: break
    }
    return model
  }

  private func reply(_ message: Int) -> TrafficState.Reply {
    let isHeavy = kinds[message] == .heavy
    let id = ConnectionModel.id(message)
    let start: (@Sendable () -> Void)? = isHeavy ? { @Sendable in } : nil
    return TrafficState.Reply(
      revision: shared.latest, frames: OutgoingPieces(isHeavy ? [] : [UInt8(message)]), message: [UInt8(message)],
      answered: isHeavy ? [] : [(id: id, method: .daysGet)], deferred: isHeavy ? [id] : [], isRepeatable: true,
      start: start)
  }

  // MARK: the commit thread

  private func committing(_ step: Step) -> [ConnectionModel] {
    var model = self
    switch step {
    case .write:
      guard let last = shared.lines.last else { return [] }
      model.shared.lines = []
      return [model.going(.commit, [.synchronize(last), .write])]
    case .synchronize(let revision):
      var failed = self
      failed.shared.failures -= 1
      failed.shared.hasFailed = true
      failed.shared.lines = []
      model.shared.durable = revision
      return [model.going(.commit, mistake == .opening ? [] : [.open(revision)])]
        + (shared.failures > 0 ? [failed.going(.commit, mistake == .failing ? [] : [.send(.rollBack)])] : [])
    case .open(let revision):
      let (frames, starts, isReleased) = model.traffic.open(upTo: revision)
      model.shared.answered += frames.pieces.joined().map(Int.init)
      let begins = traffic.held.prefix(traffic.held.count - model.traffic.held.count).filter { $0.start != nil }
      assert(begins.count == starts.count)
      let resumption: [Step] = isReleased && mistake != .releasing ? [.send(.take)] : []
      return [model.going(.commit, begins.map { .start(Int($0.message[0])) } + [.begun] + resumption)]
    case .start(let message): model.shared.started.append(message)
    default: model.traffic.runningReleases -= 1
    }
    return [model]
  }

  // MARK: heavy work

  private func working(_ step: Step) -> [ConnectionModel] {
    var model = self
    switch step {
    case .heavyWork:
      guard let message = shared.started.first else { return [] }
      model.shared.started.removeFirst()
      return [model.going(.worker, [.leave(message), .sendLate(message), .left, .heavyWork])]
    case .leave(let message):
      model.traffic.requests[ConnectionModel.id(message)] = nil
      model.traffic.outgoingReplies += 1
    case .sendLate(let message): model.shared.answered.append(message)
    default: model.traffic.outgoingReplies -= 1
    }
    return [model]
  }
}
