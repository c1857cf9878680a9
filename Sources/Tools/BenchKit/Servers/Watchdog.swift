import Foundation
import Spawning
import Synchronization

/// Kills a process that nobody has vouched for in time, so that reading from it cannot wait for ever.
final class Watchdog: Sendable {
  private let process: SpawnedProcess
  private let patience: UInt64
  /// When to kill it; nil when there is nothing to watch any more.
  private let deadline: Mutex<UInt64?>

  init(_ process: SpawnedProcess, seconds: UInt64) {
    self.process = process
    patience = seconds * 1_000_000_000
    deadline = Mutex(Clocks.now() + patience)
    Thread.detachNewThread { [weak self] in
      while let goesOn = self?.look(), goesOn { sleep(1) }
    }
  }

  /// Starts the time again.
  func putOff() { deadline.withLock { $0 = $0.map { _ in Clocks.now() + patience } } }

  /// Nothing is killed from here on.
  func end() { deadline.withLock { $0 = nil } }

  private func look() -> Bool {
    deadline.withLock { deadline in
      guard let end = deadline else { return false }
      if Clocks.now() > end {
        process.signal(SIGKILL)
        deadline = nil
      }
      return true
    }
  }
}
