import Foundation
import Spawning
import Synchronization

/// Kills a process unless its deadline is extended in time, so that reads from it cannot block forever.
final class Watchdog: Sendable {
  private let process: SpawnedProcess
  private let patience: UInt64
  /// The deadline; nil once nothing is watched.
  private let deadline: Mutex<UInt64?>

  init(_ process: SpawnedProcess, seconds: UInt64) {
    self.process = process
    patience = seconds * 1_000_000_000
    deadline = Mutex(Clocks.now() + patience)
    Thread.detachNewThread { [weak self] in
      while let shouldContinue = self?.look(), shouldContinue { sleep(1) }
    }
  }

  /// Extends the deadline.
  func putOff() { deadline.withLock { $0 = $0.map { _ in Clocks.now() + patience } } }

  /// Stops watching.
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
