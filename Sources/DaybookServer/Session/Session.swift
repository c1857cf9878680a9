import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition
import Platform
import Synchronization
import Values

/// The one place that answers "what is going on right now": for a connection its handshake, selected day and subscriptions;
/// for the data folder its store and settings. All changes go through it, in the order they arrive.
package actor Session {
  nonisolated let executor: SessionExecutor
  nonisolated let channel: OutputChannel
  nonisolated let gate: ReplyGate
  nonisolated let inFlight: InFlightTable
  nonisolated let inbox: Inbox
  nonisolated let clientRequests: ClientRequests
  nonisolated let log: Log
  nonisolated let options: ServiceOptions
  nonisolated let startedAt: Instant
  nonisolated let processID = Processes.current
  nonisolated let processWatch = ProcessWatch()
  nonisolated let folderFollower = FolderFollower()
  nonisolated let checkpoints = CheckpointState()
  /// Ends the process with a status, for when the end is asked for while nobody reads.
  nonisolated let end: @Sendable (Int32) -> Void
  private nonisolated let endStatus = Atomic<Int32>(1)

  // The connection.
  var lifecycle: Lifecycle {
    didSet { endStatus.store(lifecycle.exitStatus, ordering: .releasing) }
  }
  var framing = Framing.header
  /// Whether the framing is settled.
  var hasBegun = false
  /// Frames not handed to the channel yet; nil while a message is being answered, which then has them.
  var out: OutgoingFrames?
  var isStrict = true
  var trace = TraceValue.off
  var author: String
  var clientCanConfirm = false
  /// Lines for the client's log pane, sent with the next answer.
  var logLines: [Event] = []
  /// The status to end with, once asked to.
  var exitStatus: Int32?
  /// The domains whose events are wanted; nil for all.
  var subscribed: Set<EventDomain>?
  /// The day this connection looks at; today when nil.
  var selectedDay: CivilDay?
  var zone: TimeZoneRules?
  /// Whether a restore that waited was looked for: only before the store is first opened.
  var hasLookedForRestore = false
  /// How many messages came, how many of them the last look at the folder knew of, and since when there were no others.
  var received = 0
  var receivedAtLastLook = -1
  var idleSince: UInt64 = 0
  /// Whether it was looked if everything has to be verified.
  var hasLookedForScrub = false
  /// The day on which a daily backup was last thought of.
  var dailyBackupDay: CivilDay?

  // The data folder.
  var store: FileStore?
  /// The revision of the latest change made here, or of the present when there is none.
  var latestRevision = 0
  /// The revision up to which the client was told of changes, or made them; nil before the store was first read.
  var announcedRevision: Int?
  /// The revision up to which what was remembered of the store has been dropped.
  var seenRevision = 0
  /// How many changes are being made away from the session.
  var writesElsewhere = 0
  /// The revisions made by this connection.
  var ownRevisions = RevisionSet()
  /// How often the folder was exchanged, as far as the client was told.
  var toldExchanges = 0
  /// How much was found wrong with the folder when the client was last told, and what it was told of.
  var toldFindingCount: Int?
  var toldFindings: Set<String> = []
  /// Whether the message being worked on may write: the folder's lock is had for it.
  var hasTurn = false
  /// Whether the message being worked on was to write into a folder that another process has founded meanwhile: it has to wait for the
  /// lock like any other.
  var hasMissedTurn = false
  /// Why the message being worked on cannot write.
  var turnRefusal: RPCError?
  /// Since when (monotonic nanoseconds) the message at the head of the inbox waits for the folder's lock; nil when none does.
  var waitsForLockSince: UInt64?
  /// While answers are given again after a failed commit: why nothing can be written.
  var refusal: RPCError?
  var settingsCache: Settings?
  /// What the days asked for lately come to.
  var summaries: [CivilDay: TodayGetResult] = [:]

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    options: ServiceOptions, channel: OutputChannel, executor: SessionExecutor, inbox: Inbox, log: Log,
    end: @escaping @Sendable (Int32) -> Void
  ) {
    self.options = options
    self.end = end
    self.channel = channel
    self.executor = executor
    self.inbox = inbox
    self.log = log
    inFlight = InFlightTable()
    gate = ReplyGate(channel: channel, inFlight: inFlight)
    clientRequests = ClientRequests()
    startedAt = options.now()
    author = options.author
    lifecycle = options.skipsHandshake ? .running(hasConfirmed: true) : .awaitingInitialize
  }

  /// Does something for whoever has no part in the session, when its turn has come.
  nonisolated func soon(_ body: @escaping @Sendable (isolated Session) -> Void) {
    executor.enqueue { [weak self] in self?.assumeIsolated { body($0) } }
  }

  /// The status to end with if the end came now.
  nonisolated var statusAtEnd: Int32 { endStatus.load(ordering: .acquiring) }

  /// A defect of ours: the details go into the log, a number that finds them to the client.
  func defect(_ details: String) -> RPCError {
    let incident = "\(options.newID())"
    log.error("incident \(incident): \(details)")
    tell(.error, "a defect in daybook, incident \(incident); its log has the details")
    return RPCError(
      .internalError, "a defect in daybook", hint: "please report it with the log's lines of this incident",
      incident: incident)
  }

  /// Puts a line into the client's log pane, with the next answer. It must not hold the user's data.
  func tell(_ type: MessageType, _ message: String) {
    guard logLines.count < 100 else { return }
    logLines.append(Event(WindowLogMessageParams.method, WindowLogMessageParams(type: type, message: message)))
  }

  /// Now.
  nonisolated func now() -> Instant { options.now() }

  /// The rules of the user's zone.
  var currentZone: TimeZoneRules {
    if let zone { return zone }
    let found = options.systemZone()
    if let problem = found.problem {
      log.warning("the time zone of the system cannot be used, days are counted in UTC: \(problem.message)")
    }
    let rules = named(found.rules)
    zone = rules
    return rules
  }

  /// Rules under a name that the zone database has, for the name is stored with what the user logs. Rules that only a `TZ`
  /// string gives, which has no name, become those of a fixed whole-hour zone, else UTC.
  private func named(_ rules: TimeZoneRules) -> TimeZoneRules {
    if rules.name.contains("/") || rules.name == TimeZoneName.utc.text { return rules }
    if let name = TimeZoneName(rules.name), let known = try? options.zones.rules(for: name) { return known }
    let offset = rules.offset(at: now())
    let hours = offset / 3600
    let fixed = TimeZoneName("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")
    if offset % 3600 == 0, let fixed, let known = try? options.zones.rules(for: fixed) {
      log.warning("the time zone “\(rules.name)” has no name in the zone database; days are counted in \(fixed.text)")
      return known
    }
    log.warning("the time zone “\(rules.name)” has no name in the zone database; days are counted in UTC")
    return .utc
  }

  /// The name of the user's zone; `UTC` when its rules have no name.
  var zoneName: TimeZoneName { TimeZoneName(currentZone.name) ?? .utc }

  /// Today in the user's zone; the nearest day that the protocol can name, should the clock be out of its mind.
  var today: CivilDay {
    min(max(currentZone.day(at: now()), CivilDay.allowed.lowerBound), CivilDay.allowed.upperBound)
  }

  /// The day meant when none is named.
  var currentDay: CivilDay { selectedDay ?? today }
}
