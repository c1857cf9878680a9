import Platform
import Synchronization

/// Whether a checkpoint runs on a thread of this process, and when the next one may begin.
package final class CheckpointState: Sendable {
  /// The pause between checkpoints, as a multiple of the last one's duration, so that writes have priority.
  private static let restFactor: UInt64 = 9

  private let running = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)
  /// When the running checkpoint began, and when the next may, in nanoseconds of `clock`.
  private let began = Atomic<UInt64>(0)
  private let notBefore = Atomic<UInt64>(0)
  private let clock: @Sendable () -> UInt64

  /// - Parameter clock: A monotonic clock in nanoseconds.
  package init(clock: @escaping @Sendable () -> UInt64 = { Clock.monotonicNanoseconds() }) { self.clock = clock }

  /// The present time, in nanoseconds of the clock.
  var now: UInt64 { clock() }

  package var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Whether a waiting checkpoint should give up.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Begins a checkpoint; false when one is running, none may begin any longer, or the pause after the last one is not
  /// over and it is not urgent.
  func begin(isUrgent: Bool) -> Bool {
    let now = clock()
    guard !isStopping, isUrgent || now >= notBefore.load(ordering: .relaxed),
      !running.exchange(true, ordering: .acquiringAndReleasing)
    else { return false }
    began.store(now, ordering: .relaxed)
    return true
  }

  func end() {
    let now = clock()
    notBefore.store(now &+ (now &- began.load(ordering: .relaxed)) &* CheckpointState.restFactor, ordering: .relaxed)
    running.store(false, ordering: .releasing)
  }

  /// Prevents further checkpoints from starting or waiting.
  package func stop() { stopping.store(true, ordering: .releasing) }
}
