import Interleaving
import Platform

@testable import FileStore

/// Models the commit queue between its owner and the commit thread. Each step is a call on a real queue, given the
/// previous state.
struct CommitQueueModel: Interleaved {
  /// An omitted wake-up, to show that the model finds its effect.
  enum Mistake {
    case none
    /// The thread is not woken for the first line.
    case enqueueing
    /// The owner that waits is not woken.
    case ending
    /// The thread is not woken for its end.
    case finishing
  }

  /// What the owner does next.
  enum Action: Hashable {
    case commit, wait, finish
  }

  enum Owner: Hashable {
    case acting, waiting, joining
  }

  enum Writer: Hashable {
    case looking, asleep, writing, settling(fails: Bool), telling(fails: Bool), ending, ended
  }

  struct Key: Hashable {
    var script: [Action]
    var owner = Owner.acting
    var writer = Writer.looking
    var work = 0
    var idle = 0
    var failures: Int
    var mustRollBack = false
    var revision = 0
    var figures: [Int] = []
  }

  private let queue: CommitQueue
  private let mistake: Mistake
  private var state = CommitQueue.State()
  private(set) var key: Key

  init(_ script: [Action], failures: Int = 0, _ mistake: Mistake = .none) {
    queue = CommitQueue(PosixFileSystem())
    self.mistake = mistake
    key = Key(script: script, failures: failures)
  }

  var isDone: Bool {
    let isAtRest = key.script.last == .finish ? key.writer == .ended : key.writer == .asleep
    return key.script.isEmpty && key.owner == .acting && (isAtRest || key.writer == .ended) && !isUnsettled
  }

  private var isUnsettled: Bool { state.isWriting || state.isNotifying || !state.lines.isEmpty }

  var offence: String? {
    key.writer == .ended && !state.lines.isEmpty ? "the thread has ended, and something is not written" : nil
  }

  var next: [(step: String, state: CommitQueueModel)] {
    ownerSteps.map { ("owner: \(key.owner) \(key.script.first.map { "\($0)" } ?? "")", $0) }
      + writerSteps.map { ("thread: \(key.writer)", $0) }
  }

  /// Performs a step on the real queue in this state, and counts whom it woke.
  private mutating func take<Value>(_ step: (CommitQueue) -> Value) -> Value {
    let before = state
    queue.state.withLock { $0 = before }
    let value = step(queue)
    state = queue.state.withLock { $0 }
    while queue.work.tryPark() { key.work += 1 }
    while queue.idle.tryPark() { key.idle += 1 }
    let flags = [state.isWriting, state.isNotifying, state.isClosing, state.isOwnerWaiting, state.obstacle != nil]
    key.figures = flags.map { $0 ? 1 : 0 } + state.lines.map(\.revision)
    return value
  }

  // MARK: the owner

  private var ownerSteps: [CommitQueueModel] {
    var model = self
    switch key.owner {
    case .acting:
      if key.mustRollBack {
        model.key.mustRollBack = false
        model.take { $0.clearFailure() }
        return [model]
      }
      guard let action = key.script.first else { return [] }
      model.key.script.removeFirst()
      switch action {
      case .commit:
        model.key.revision += 1
        let line = PendingLine(revision: model.key.revision, bytes: [1], isDeletion: false)
        // A refusal is reported at once.
        _ = model.take { $0.enqueue(line) }
        if mistake == .enqueueing { model.key.work = key.work }
      case .wait:
        // It returns at once in both cases: with lines to take, it has not slept.
        queue.idle.unpark()
        model.take { $0.waitUntilIdle() }
        model.key.owner = model.state.isOwnerWaiting ? .waiting : .acting
        if !model.state.isOwnerWaiting { model.key.idle -= 1 }
      case .finish:
        model.take { $0.finish() }
        if mistake == .finishing { model.key.work = key.work }
        model.key.owner = .joining
      }
      return [model]
    case .waiting:
      guard key.idle > 0 else { return [] }
      model.key.idle -= 1
      model.key.owner = .acting
      return [model]
    case .joining:
      guard key.writer == .ended else { return [] }
      model.key.owner = .acting
      return [model]
    }
  }

  // MARK: the thread, as in `FileStore.write`

  private var writerSteps: [CommitQueueModel] {
    var model = self
    switch key.writer {
    case .looking:
      let (lines, isFinished) = model.take { $0.takeLines() }
      model.key.writer = lines.isEmpty ? (isFinished ? .ended : .asleep) : .writing
    case .asleep:
      guard key.work > 0 else { return [] }
      model.key.work -= 1
      model.key.writer = .looking
    case .writing:
      model.key.writer = .settling(fails: false)
      guard key.failures > 0 else { return [model] }
      var failed = self
      failed.key.failures -= 1
      failed.take { $0.fail(StoreError(.diskFull, ""), isFinal: false) }
      failed.key.writer = .settling(fails: true)
      return [model, failed]
    case .settling(let fails):
      model.take { $0.settleBatch() }
      model.key.writer = .telling(fails: fails)
    case .telling(let fails):
      if fails { model.key.mustRollBack = true }
      model.key.writer = .ending
    case .ending:
      model.take { $0.endBatch() }
      if mistake == .ending { model.key.idle = key.idle }
      model.key.writer = .looking
    case .ended: return []
    }
    return [model]
  }
}
