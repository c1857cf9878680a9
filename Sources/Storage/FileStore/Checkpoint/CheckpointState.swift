import Platform
import Synchronization

/// Whether a checkpoint is at work on a thread of this process, and when the next one may begin.
package final class CheckpointState: Sendable {
  /// Between two checkpoints lies so many times what the last one took: writing goes before tidying up.
  private static let restFactor: UInt64 = 9

  private let running = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)
  /// When the present one began, and when the next may, in nanoseconds of `clock`.
  private let began = Atomic<UInt64>(0)
  private let notBefore = Atomic<UInt64>(0)
  private let clock: @Sendable () -> UInt64

  /// - Parameter clock: Nanoseconds since some moment, never going back.
  package init(clock: @escaping @Sendable () -> UInt64 = { Clock.monotonicNanoseconds() }) { self.clock = clock }

  /// Whether one is at work.
  package var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Whether one that waits should give up.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Begins one; false when one is at work or was a short while ago, unless it is urgent, or none should begin any more.
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

  /// Lets no further one begin, and none wait.
  package func stop() { stopping.store(true, ordering: .releasing) }
}
