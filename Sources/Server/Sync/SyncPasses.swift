import DomainKit
import Platform
import SyncEngine
import SyncRules

/// The passes of this process, one at a time.
final class SyncPasses: Sendable {
  private enum State: Sendable {
    case idle
    /// A pass with this number is running.
    case running(Int)
  }

  private struct Book: Sendable {
    var state = State.idle
    var count = 0
    /// The outcome of the last pass, with its number.
    var last: (number: Int, result: Result<SyncPass, SyncFailure>)?
  }

  private let book = Guarded(Book())

  var isRunning: Bool { book.withLock { if case .running = $0.state { true } else { false } } }

  /// How long a pass waits for that of another process unless the caller says so, in milliseconds.
  static let patience = 30_000

  /// Runs a pass on the calling thread, or waits for the one that is running here. One that found another process's pass
  /// running is followed by one that waits for its end.
  func run(
    _ worker: SyncWorker, _ trigger: PassTrigger, _ monitor: WorkMonitor, patience: Int = patience
  ) -> Result<SyncPass, SyncFailure> {
    while let joined = begin() {
      let result = join(joined, monitor)
      guard case .failure(.busy) = result else { return result }
    }
    return finish(worker.pass(trigger, monitor, patience: patience))
  }

  /// Waits for the end of the pass with a number.
  private func join(_ joined: Int, _ monitor: WorkMonitor) -> Result<SyncPass, SyncFailure> {
    while true {
      let result = book.withLock { book in book.last.flatMap { $0.number >= joined ? $0.result : nil } }
      if let result { return result }
      if monitor.isCancelled() { return .failure(.cancelled) }
      Threads.rest(milliseconds: 5)
    }
  }

  /// Runs a pass in the background, unless one is running; `end` is called on its thread.
  func start(_ worker: SyncWorker, _ trigger: PassTrigger, end: @escaping @Sendable () -> Void) {
    guard begin() == nil else { return }
    let isStarted = Threads.startHeavy { [self] in
      _ = finish(worker.pass(trigger, WorkMonitor()))
      end()
    }
    if !isStarted { book.withLock { $0.state = .idle } }
  }

  /// Marks a pass as running; the number of the one that is running already.
  private func begin() -> Int? {
    book.withLock { book in
      if case .running(let number) = book.state { return number }
      book.count += 1
      book.state = .running(book.count)
      return nil
    }
  }

  private func finish(_ result: Result<SyncPass, SyncFailure>) -> Result<SyncPass, SyncFailure> {
    book.withLock { book in
      book.last = (book.count, result)
      book.state = .idle
    }
    return result
  }
}
