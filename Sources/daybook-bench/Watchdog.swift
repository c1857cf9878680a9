import Foundation
import Synchronization

/// Kills a process that nobody has vouched for in time, so that reading from it cannot wait for ever.
final class Watchdog: Sendable {
  private static let patience: UInt64 = 60_000_000_000

  /// The process and when to kill it; nil when there is nothing to watch.
  private let state: Mutex<(process: pid_t, deadline: UInt64)?>

  init(_ process: pid_t?) {
    state = Mutex(process.map { ($0, Clocks.now() + Watchdog.patience) })
    guard process != nil else { return }
    Thread.detachNewThread { [weak self] in
      while let goesOn = self?.look(), goesOn { sleep(1) }
    }
  }

  /// Starts the time anew.
  func putOff() { state.withLock { $0?.deadline = Clocks.now() + Watchdog.patience } }

  /// Nothing is killed from here on.
  func end() { state.withLock { $0 = nil } }

  private func look() -> Bool {
    state.withLock { state in
      guard let watched = state else { return false }
      if Clocks.now() > watched.deadline {
        kill(watched.process, SIGKILL)
        state = nil
      }
      return true
    }
  }
}
