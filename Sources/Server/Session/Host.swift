import CivilTime
import FileStore
import Platform
import Synchronization

/// The process that a session runs in: how it ends, what watches over it, and what the clock was set to.
final class Host: Sendable {
  /// When the session was made, by the system's clock.
  let startedAt: Instant
  let processID = Processes.current
  let processWatch = ProcessWatch()
  let clockOverride = ClockOverride()
  /// Has the session look at the data folder between requests.
  let follower = FolderFollower()
  let checkpoints = CheckpointState()
  /// Ends the process with a status, for when the end is asked for while nobody reads.
  let end: @Sendable (Int32) -> Void
  private let status = Atomic<Int32>(1)

  init(startedAt: Instant, end: @escaping @Sendable (Int32) -> Void) {
    self.startedAt = startedAt
    self.end = end
  }

  /// The status to exit with if the end came now.
  var statusAtEnd: Int32 {
    get { status.load(ordering: .acquiring) }
    set { status.store(newValue, ordering: .releasing) }
  }
}
