import CivilTime
import FileStore
import Platform
import Synchronization

/// The process that a session runs in.
final class Host: Sendable {
  /// When the session was created, by the system's clock.
  let startedAt: Instant
  let processID = Processes.current
  /// Has the session poll the data folder between requests.
  let follower = FolderFollower()
  let checkpoints = CheckpointState()
  /// Ends the process with a status, when “exit” is processed off the reading thread.
  let end: @Sendable (Int32) -> Void
  private let status = Atomic<Int32>(1)
  private let clientProcess = Atomic<Int>(0)
  private let clock = Atomic<Int64>(.min)
  private let delivery = Atomic<Bool>(false)
  private let committed = Atomic<Int>(0)
  private let stored = Atomic<Int>(0)

  init(startedAt: Instant, end: @escaping @Sendable (Int32) -> Void) {
    self.startedAt = startedAt
    self.end = end
  }

  /// Whether a reminder has been delivered and not noted.
  var owesDeliveryNote: Bool {
    get { delivery.load(ordering: .acquiring) }
    set { delivery.store(newValue, ordering: .releasing) }
  }

  /// The status to exit with if the process ended now.
  var statusAtEnd: Int32 {
    get { status.load(ordering: .acquiring) }
    set { status.store(newValue, ordering: .releasing) }
  }

  /// Notes a change of this connection that is not durable yet.
  func note(committed revision: Int) { committed.max(revision, ordering: .relaxed) }

  /// Notes a durable change of this connection.
  func note(stored revision: Int) { stored.max(revision, ordering: .relaxed) }

  /// The revision of the last durable change of this connection, given the last durable revision; nil when it has
  /// stored nothing.
  func storedRevision(durable: Int) -> Int? {
    let revision = max(stored.load(ordering: .relaxed), min(committed.load(ordering: .relaxed), durable))
    return revision > 0 ? revision : nil
  }

  /// Watches the client's process, which is visible now.
  func watch(process id: Int) { clientProcess.store(id, ordering: .relaxed) }

  /// The id of the client's process, if it is watched and has ended.
  var endedClient: Int? {
    let id = clientProcess.load(ordering: .relaxed)
    return id != 0 && (!Processes.isVisible(id) || Processes.isZombie(id)) ? id : nil
  }

  /// The instant that a test has set the clock to; normally none.
  var clockOverride: Instant? {
    let value = clock.load(ordering: .acquiring)
    return value == .min ? nil : Instant(milliseconds: value)
  }

  func setClock(_ instant: Instant) { clock.store(instant.milliseconds, ordering: .releasing) }
}
