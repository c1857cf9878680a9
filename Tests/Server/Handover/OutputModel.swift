import Interleaving

@testable import DaybookServer

/// The way out: senders that stop while the client does not take what there is, the thread that writes, and the client, which may go.
struct OutputModel: Interleaved, Hashable {
  /// A step that is left out, to see that the model finds what it leads to.
  enum Mistake {
    case none
    /// Those who wait are not told that the backlog has gone.
    case draining
    /// Those who wait are not told that the client is gone.
    case breaking
    /// Who has written without waiting does not wake the thread for the rest.
    case leaving
    /// Nobody looks now and then, and the system has no thread to give.
    case looking
  }

  private enum Sender: Hashable {
    case sending, putting(Int), finishing, telling, rousing(SleepingThread.Call), failing, looking, waiting
  }

  private enum Writer: Hashable {
    case absent, looking, asleep, writing(Int), telling(Int)
  }

  private var state = OutputState()
  private var senders: [Sender]
  /// What each sender has still to send.
  private var left: [Int]
  private var writer = Writer.absent
  private var permits = 0
  private var mayBreak: Bool
  private var isGone = false
  private var failures: Int
  private let mistake: Mistake

  init(left: [Int], mayBreak: Bool = false, failures: Int = 0, _ mistake: Mistake = .none) {
    self.left = left
    senders = left.map { _ in .looking }
    self.mayBreak = mayBreak
    self.failures = failures
    self.mistake = mistake
    state.lowWater = 1
  }

  private static let highWater = 2

  var key: OutputModel { self }
  var isDone: Bool { left.allSatisfy { $0 == 0 } && senders.allSatisfy { $0 == .looking } && state.unsent == 0 }
  var offence: String? { state.unsent < 0 ? "more was taken than was sent" : nil }

  var next: [(step: String, state: OutputModel)] {
    var all = senders.indices.flatMap { number in steps(of: number).map { ("sender \(number): \(senders[number])", $0) }
    }
    all += writing.map { ("thread: \(writer)", $0) }
    if mayBreak, !isGone {
      var model = self
      model.isGone = true
      all.append(("the client goes", model))
    }
    if mistake != .looking, state.unsent > 0 {
      var model = self
      if case .start = model.state.wakeThread() {
        model.writer = .looking
        all.append(("somebody looks", model))
      }
    }
    return all
  }

  private func steps(of number: Int) -> [OutputModel] {
    var model = self
    switch senders[number] {
    case .looking:
      guard left[number] > 0 else { return [] }
      model.senders[number] =
        state.unsent > OutputModel.highWater && model.state.notifyWhenDrained() ? .waiting : .sending
    case .sending:
      model.left[number] -= 1
      if state.isBroken {
        model.senders[number] = .rousing(.nobody)
      } else if model.state.beginWrite(2) {
        model.senders[number] = .putting(2)
      } else {
        model.senders[number] = .rousing(model.state.append([1, 1]))
      }
    case .putting(let count):
      if isGone {
        model.senders[number] = model.state.markBroken(rest: count) ? .telling : .finishing
        break
      }
      // The descriptor takes everything, a part, or nothing.
      return (0...count).map { rest in
        var model = self
        let isDrained = model.state.requeue([UInt8](repeating: 1, count: rest), of: count)
        model.senders[number] = isDrained ? .telling : .finishing
        return model
      }
    case .telling:
      model.senders = senders.map { $0 == .waiting ? .looking : $0 }
      model.senders[number] = .finishing
    case .finishing:
      // It goes on, or has written enough.
      return [false, true].map { isOver in
        var model = self
        switch model.state.next(isOver: isOver) {
        case .write(let piece): model.senders[number] = .putting(piece.count)
        case .end(let call): model.senders[number] = .rousing(mistake == .leaving ? .nobody : call)
        }
        return model
      }
    case .rousing(let call):
      model.senders[number] = .looking
      guard call != .nobody else { break }
      if call == .wake {
        model.permits += 1
        break
      }
      model.writer = .looking
      guard failures > 0 else { break }
      var failed = self
      failed.failures -= 1
      failed.senders[number] = .failing
      return [model, failed]
    case .failing:
      model.state.threadFailedToStart()
      model.senders[number] = .looking
    case .waiting: return []
    }
    return [model]
  }

  private var writing: [OutputModel] {
    var model = self
    switch writer {
    case .absent: return []
    case .asleep:
      guard permits > 0 else { return [] }
      model.permits -= 1
      model.writer = .looking
    case .looking:
      let batch = model.state.takeBatch()
      model.writer = batch.isEmpty ? .asleep : .writing(batch.count)
    case .writing(let count):
      let tells = isGone ? model.state.markBroken(rest: count) : model.state.accept(1)
      let isLeftOut = mistake == (isGone ? .breaking : .draining)
      let rest = isGone || count == 1 ? 0 : count - 1
      model.writer = tells && !isLeftOut ? .telling(rest) : rest == 0 ? .looking : .writing(rest)
    case .telling(let rest):
      model.senders = senders.map { $0 == .waiting ? .looking : $0 }
      model.writer = rest == 0 ? .looking : .writing(rest)
    }
    return [model]
  }
}
