import DomainKit
import Platform
import Premium
import SettingsDocument

/// The state of one connection: its handshake, selected day and subscriptions, and the data folder's store and
/// settings. All changes go through it, in order of arrival.
package actor Session {
  // Set before the first message, and usable from any thread.
  nonisolated let options: ServiceOptions
  nonisolated let log: Log
  nonisolated let host: Host
  nonisolated let executor: SessionExecutor
  nonisolated let channel: OutputChannel
  nonisolated let traffic: Traffic
  nonisolated let clientRequests = ClientRequests()
  nonisolated let workTurns: WorkTurns
  nonisolated let notes: SmallFileWriter
  nonisolated let onboarding: OnboardingParticipant
  nonisolated let followed = FollowedImport()
  nonisolated let activity = ClientActivity()

  var client: ClientState {
    didSet { host.statusAtEnd = client.lifecycle.exitStatus }
  }
  var outgoing = Outgoing()
  var announced = AnnouncedState()
  var lock = ConnectionLock()
  var deletion = Deletion()

  // The start-up, and this device's own state.
  var start: StartupProgress
  var preview = StorePreview()
  var device = DeviceFlags()
  var clock: DayClock
  var entitlement: EntitlementTracker
  var reminders = ReminderBook()

  // The data folder and the services of the domains.
  let folder: DataFolder
  var writing = WriteState()
  var idle = IdleWatch()
  let services = Services()
  let feed: ChangeFeed
  let rooms = Rooms()

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
    notes = SmallFileWriter(traffic: traffic)
    onboarding = OnboardingParticipant(folder: options.dataFolder, migrations: options.migrations) { [notes] in
      notes.waitUntilSettled()
    }
    folder = DataFolder(
      newID: options.newID, newIDsAreUnique: options.newIDsAreUnique, migrations: options.migrations,
      author: options.author, settings: SettingsRules.inForce, warn: { log.warning(.store, "\(unquoted: $0)") }
    ) { details in
      let incident = "\(options.newID())"
      log.error(.session, "incident \(public: incident): \(unquoted: details)")
      return RPCError(
        .internalError, "a defect in daybook", hint: "please report it with the log's lines of this incident",
        incident: incident)
    }
    feed = ChangeFeed(folder, services)
    clock = DayClock(
      zones: options.zones, systemZone: options.systemZone, warn: { log.warning(.timeZone, $0) })
    start = StartupProgress(timeline: StartupTimeline(origin: options.startedAt))
    entitlement = EntitlementTracker(at: options.now())
    client = ClientState(skipsHandshake: options.skipsHandshake)
  }

  /// Runs `body` on the session after the jobs queued before; callable from any thread.
  nonisolated func enqueue(_ body: @escaping @Sendable (isolated Session) -> Void) {
    executor.enqueue { [weak self] in self?.assumeIsolated { body($0) } }
  }

  /// Reports a defect of ours: the log gets the details, the client an incident number that finds them.
  func defect(_ details: String) -> RPCError { folder.defect(details) }

  /// Adds a line to the client's log pane, sent with the next reply. It must not contain user data.
  func tell(_ type: MessageType, _ message: String) {
    guard outgoing.logLines.count < 100 else { return }
    outgoing.logLines.append(Event(WindowLogMessageParams.method, WindowLogMessageParams(type: type, message: message)))
  }

  nonisolated func now() -> Instant { host.clockOverride ?? options.now() }
}
