import CivilTime
import FileStore
import Platform
import Synchronization

/// The process that a session runs in.
final class Host: Sendable {
  /// When the session was created, by the system's clock.
  let startedAt: Instant
  let processID = Processes.current
  let processWatch = ProcessWatch()
  let clockOverride = ClockOverride()
  /// Has the session poll the data folder between requests.
  let follower = FolderFollower()
  let checkpoints = CheckpointState()
  /// Ends the process with a status, when “exit” is processed off the reading thread.
  let end: @Sendable (Int32) -> Void
  private let status = Atomic<Int32>(1)

  init(startedAt: Instant, end: @escaping @Sendable (Int32) -> Void) {
    self.startedAt = startedAt
    self.end = end
  }

  /// The status to exit with if the process ended now.
  var statusAtEnd: Int32 {
    get { status.load(ordering: .acquiring) }
    set { status.store(newValue, ordering: .releasing) }
  }
}
