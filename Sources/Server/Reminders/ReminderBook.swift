import CivilTime
import DaybookProtocol
import FileStore
import Platform
import Reminders

/// What a session knows of reminders: the plan it told last, what happened to reminders on this folder, and whether it is the process
/// that gives them.
struct ReminderBook {
  /// The plan of the next days as clients know it; nil before the first.
  var told: ReminderPlan?
  /// What happened to reminders, as `reminders.json` said when it was last read.
  var state = ReminderState()
  /// Those that were given, or passed over for one that was, and are not noted as such in the file yet; with when.
  var given: [ReminderID: Instant] = [:]
  /// Which file that was.
  var file: FileMark?
  /// Whether the device lets the frontend remind, as far as it said.
  var authorization: NotificationAuthorization?
  /// The lock that makes this process the one that gives reminders; nil while it is not.
  var turn: FileTurn?
  /// Since when (monotonic nanoseconds) something is due that the process whose turn it is does not give.
  var waitsSince: UInt64?
  /// What nobody could give at its time, with when it is to be caught up on.
  var missed: [ReminderID: Instant] = [:]
  /// When the last check for what is due was.
  var lookedUntil: Instant?
  /// Whether something may be due besides what `told` has: at first, and when a plan was replaced before the first check.
  var isLookDue = true

  /// What the file said, with what it does not say yet.
  func completed(_ state: ReminderState) -> ReminderState {
    given.reduce(state) { $0.fired($1.key, at: $1.value) }
  }

  /// Forgets what happened: the folder is another one, or begins again.
  mutating func forgetState() {
    (state, given, missed, file) = (ReminderState(), [:], [:], nil)
  }

  /// Whether something of the plan as clients know it is due.
  func isPlanDue(_ now: Instant) -> Bool { told?.changesAt.map { $0 <= now } ?? false }

  /// Whether something is due.
  func isDue(_ now: Instant) -> Bool { isPlanDue(now) || !missedUntil(now).isEmpty }

  /// What is to be caught up on by now.
  func missedUntil(_ now: Instant) -> Set<ReminderID> { Set(missed.filter { $0.value <= now }.keys) }

  /// Records the last check for what is due, and what was given: of an item that has reminded nothing is caught up on.
  mutating func look(_ now: Instant, given ids: [ReminderID] = []) {
    missed = missed.filter { id, instant in
      instant > now && !ids.contains { $0.source == id.source && $0.item == id.item }
    }
    lookedUntil = now
    isLookDue = false
  }

  /// Puts another plan in the place of the one that clients know.
  mutating func replace(by new: ReminderPlan) {
    // What is due of the old one is still given; what the new one would have had for a moment that is past is not.
    if isPlanDue(new.madeAt) { isLookDue = true } else if !isLookDue { lookedUntil = new.madeAt }
    told = new
  }

  /// The plan of the next days.
  var plan: ReminderPlan { told ?? .empty(madeAt: Instant(milliseconds: 0)) }

  /// How many days ahead clients are told of changes, today included.
  static let horizon = 14
  /// How many reminders a plan holds unless the client says how many it can.
  static let usualLimit = 64
  /// How many ids of each kind an event names at most.
  static let toldIDs = 100
}
