import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Platform
import Premium
import SettingsDocument
import Synchronization
import Values

/// The one place that answers "what is going on right now": for a connection its handshake, selected day and subscriptions;
/// for the data folder its store and settings. All changes go through it, in the order they arrive.
package actor Session {
  // What is there before the first message, and may be used from any thread.
  nonisolated let options: ServiceOptions
  nonisolated let log: Log
  nonisolated let host: Host
  nonisolated let executor: SessionExecutor
  nonisolated let channel: OutputChannel
  nonisolated let traffic: Traffic
  nonisolated let clientRequests = ClientRequests()
  nonisolated let workTurns: WorkTurns
  nonisolated let notes: NoteWriter
  nonisolated let followed = FollowedImport()

  // The connection.
  var client: ClientState {
    didSet { host.statusAtEnd = client.lifecycle.exitStatus }
  }
  var outgoing = Outgoing()
  var told = Told()
  var lock = LockRoom()
  var deletion = Deletion()

  // The start, and what this device remembers.
  var start: StartRoom
  var preview = StorePreview()
  var device = DeviceFlags()
  var clock: DayClock
  var entitlement: EntitlementRoom
  var reminders = ReminderBook()

  // The data folder, and what answers for the domains.
  let folder: DataFolder
  var writing = WritingRoom()
  var idle = IdleWatch()
  let services = Services()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    options: ServiceOptions, channel: OutputChannel, executor: SessionExecutor, traffic: Traffic, log: Log,
    end: @escaping @Sendable (Int32) -> Void
  ) {
    self.options = options
    self.channel = channel
    self.executor = executor
    self.traffic = traffic
    self.log = log
    host = Host(startedAt: options.now(), end: end)
    workTurns = WorkTurns(channel: channel)
    notes = NoteWriter(traffic: traffic)
    folder = DataFolder(
      newID: options.newID, newIDsAreUnique: options.newIDsAreUnique, migrations: options.migrations,
      author: options.author, defaultSettings: SettingsRules.defaults,
      warn: { log.warning(.store, "\(unquoted: $0)") }
    ) { details in
      let incident = "\(options.newID())"
      log.error(.session, "incident \(public: incident): \(unquoted: details)")
      return RPCError(
        .internalError, "a defect in daybook", hint: "please report it with the log's lines of this incident",
        incident: incident)
    }
    clock = DayClock(
      zones: options.zones, systemZone: options.systemZone, warn: { log.warning(.timeZone, $0) })
    start = StartRoom(timeline: StartupTimeline(origin: options.startedAt))
    entitlement = EntitlementRoom(at: options.now())
    client = ClientState(skipsHandshake: options.skipsHandshake)
    folder.accompanying = { [unowned self] operations in
      assumeIsolated { $0.completionToKeep(beside: operations) }
    }
  }

  /// Runs `body` on the session when its turn has come; for code on any thread.
  nonisolated func enqueue(_ body: @escaping @Sendable (isolated Session) -> Void) {
    executor.enqueue { [weak self] in self?.assumeIsolated { body($0) } }
  }

  /// The status to end with if the end came now.
  nonisolated var statusAtEnd: Int32 { host.statusAtEnd }

  /// A defect of ours: the details go into the log, a number that finds them to the client.
  func defect(_ details: String) -> RPCError { folder.defect(details) }

  /// Puts a line into the client's log pane, with the next answer. It must not hold the user's data.
  func tell(_ type: MessageType, _ message: String) {
    guard outgoing.logLines.count < 100 else { return }
    outgoing.logLines.append(Event(WindowLogMessageParams.method, WindowLogMessageParams(type: type, message: message)))
  }

  /// Now.
  nonisolated func now() -> Instant { host.clockOverride.instant ?? options.now() }
}
