import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import NutritionService
import Platform
import Premium
import SettingsDocument
import SubscriptionsService
import Synchronization
import Values

/// The one place that answers "what is going on right now": for a connection its handshake, selected day and subscriptions;
/// for the data folder its store and settings. All changes go through it, in the order they arrive.
package actor Session {
  nonisolated let executor: SessionExecutor
  nonisolated let channel: OutputChannel
  nonisolated let traffic: Traffic
  nonisolated let clientRequests: ClientRequests
  nonisolated let workTurns: WorkTurns
  nonisolated let log: Log
  nonisolated let options: ServiceOptions
  nonisolated let startedAt: Instant
  nonisolated let processID = Processes.current
  nonisolated let processWatch = ProcessWatch()
  nonisolated let folderFollower = FolderFollower()
  nonisolated let checkpoints = CheckpointState()
  nonisolated let clockOverride = ClockOverride()
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
  var abilities = ClientAbilities()
  /// Events that came about while a message was worked on; they follow it.
  var lateEvents: [Event] = []
  /// Events that are to follow the answer to a request worked on elsewhere; nil while none are set aside for one.
  var followingEvents: [Event]?
  /// Lines for the client's log pane, sent with the next answer.
  var logLines: [Event] = []
  /// The status to end with, once asked to.
  var exitStatus: Int32?
  /// The domains whose events are wanted; nil for all.
  var subscribed: Set<EventDomain>?
  /// The day this connection looks at; today when nil.
  var selectedDay: CivilDay?
  /// The zone the device is in; nil until it was asked for.
  var zone: TimeZoneRules?
  /// Whether the client said so; the system's zone may change.
  var zoneIsTheClients = false
  /// The user's locale, as the client said.
  var locale: String?
  /// Whether the user unlocked this connection.
  var isAuthenticated = false
  /// When the app went to the back, in monotonic milliseconds; nil while it is in front, or never said.
  var resignedAt: Int64?
  /// When this request came, and the one before it, in monotonic milliseconds.
  var lastRequestAt: Int64 = 0
  var previousRequestAt: Int64 = 0
  /// The token of a deletion that may be made now.
  var deletion: DeletionToken?
  /// While everything is deleted for this client: how often the folder had been exchanged before, as far as it was told.
  var deletingSince: Int?

  // The start.
  var startup: StartupTimeline
  var hasBootstrapped = false
  var hasLaunched = false
  /// What the device told while the start went on, in order, each kind at its latest place.
  var waitingEvents: [DeviceEvent] = []
  /// When tasks that are not done too often were last done, in monotonic milliseconds.
  var lastDone: [EventTask: Int64] = [:]
  var toldRoute = Route.main
  var toldDay: CivilDay?
  /// Whether the client knows that the introduction is complete, as far as it is.
  var toldOnboarding = false
  /// What was seen of the store before it was first read.
  var glancedSettings: Settings?
  var glancedOnboarding: OnboardingRecord?
  var hasReadableSettings = true

  // What this device remembers, and what it knows of premium and reminders.
  var flags = Flags()
  /// Whether some of it is not on disk, and what of it was when it last could be written.
  var hasUnsavedFlags = false
  var writtenFlags = Flags()
  /// Whether there was a file for it when it was last read or written.
  var hasFlagsFile = false
  var premium: Premium.PremiumState
  /// Which file premium.json was when it was last read.
  var premiumFile: FileMark?
  /// When it was last looked whether an entitlement has ended, in monotonic milliseconds.
  var lookedAtPremiumAt: Int64?
  /// Whether the last answer is known here only.
  var hasUnsavedPremium = false
  /// Who waits for the answer of the store of record.
  var verificationWaiters: [VerificationWaiter] = []
  /// Until when (monotonic milliseconds) a verification under way goes on that has superseded another; the next request waits for its
  /// end.
  var supersededUntil: Int64?
  /// The requests that wait for it, and how long each may take.
  var nextVerification: [(reason: VerificationReason, timeout: Int, then: VerificationWaiter.Completion)] = []
  var reminders = ReminderBook()
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
  let folder: DataFolder
  // What answers for the domains.
  let nutrition = NutritionService()
  let subscriptions = SubscriptionsService()
  /// How many changes are being made away from the session.
  var writesElsewhere = 0
  /// How often the folder was exchanged, as far as the client was told.
  var toldExchanges = 0
  /// How much was found wrong with the folder when the client was last told, and what it was told of.
  var toldFindingCount: Int?
  var toldFindings: Set<String> = []
  /// Since when (monotonic nanoseconds) the first message that waits does so for the folder's lock; nil when none does.
  var waitsForLockSince: UInt64?
  /// While answers are given again after a failed commit: why nothing can be written.
  var refusal: RPCError?
  var onboardingCache: OnboardingRecord?
  var dayContext: DayContext?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    options: ServiceOptions, channel: OutputChannel, executor: SessionExecutor, traffic: Traffic, log: Log,
    end: @escaping @Sendable (Int32) -> Void
  ) {
    self.options = options
    self.end = end
    self.channel = channel
    self.executor = executor
    self.traffic = traffic
    self.log = log
    clientRequests = ClientRequests()
    workTurns = WorkTurns(channel: channel)
    startedAt = options.now()
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
    startup = StartupTimeline(origin: options.startedAt)
    premium = Premium.PremiumState(cached: .missing, clockMark: nil, toastFlag: false, now: startedAt)
    lifecycle = options.skipsHandshake ? .running(hasConfirmed: true) : .awaitingInitialize
  }

  /// Does something for whoever has no part in the session, when its turn has come.
  nonisolated func soon(_ body: @escaping @Sendable (isolated Session) -> Void) {
    executor.enqueue { [weak self] in self?.assumeIsolated { body($0) } }
  }

  /// The status to end with if the end came now.
  nonisolated var statusAtEnd: Int32 { endStatus.load(ordering: .acquiring) }

  /// A defect of ours: the details go into the log, a number that finds them to the client.
  func defect(_ details: String) -> RPCError { folder.defect(details) }

  /// Puts a line into the client's log pane, with the next answer. It must not hold the user's data.
  func tell(_ type: MessageType, _ message: String) {
    guard logLines.count < 100 else { return }
    logLines.append(Event(WindowLogMessageParams.method, WindowLogMessageParams(type: type, message: message)))
  }

  /// Now.
  nonisolated func now() -> Instant { clockOverride.instant ?? options.now() }
}
