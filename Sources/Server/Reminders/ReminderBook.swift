import DaybookProtocol
import FileStore
import Platform
import Reminders

/// A session's view of the reminders: the plan last announced, the history of reminders on this folder, and whether
/// this process delivers them.
struct ReminderBook {
  /// The plan of the next days as last announced; nil before the first.
  var announced: ReminderPlan?
  /// What that plan was made of.
  var basis: PlanBasis?
  /// The history of reminders, as last read from `reminders.json`.
  var state = ReminderState()
  /// Reminders that were delivered or superseded and are not noted in the file yet, with the instant.
  var delivered: [ReminderID: Instant] = [:]
  /// The file that was last read.
  var file: FileMark?
  /// Whether the device allows the frontend to show reminders, as far as known.
  var authorization: NotificationAuthorization?
  /// The lock that makes this process the one that delivers reminders; nil without it.
  var turn: FileLock?
  /// Since when (monotonic nanoseconds) a due reminder is not delivered by the process that has the turn.
  var waitingSince: UInt64?
  /// Reminders that no process could deliver in time, with the instant to catch up on them.
  var missed: [ReminderID: Instant] = [:]
  /// The last check for due reminders.
  var checkedUntil: Instant?
  /// Whether reminders outside `announced` may be due: at first, and when a plan was replaced before the first check.
  var isCheckDue = true

  /// The history in the file, completed with deliveries that are not noted yet.
  func completed(_ state: ReminderState) -> ReminderState {
    delivered.reduce(state) { $0.fired($1.key, at: $1.value) }
  }

  /// Drops the history: the folder was replaced or reset.
  mutating func forgetState() {
    (state, delivered, missed, file) = (ReminderState(), [:], [:], nil)
  }

  /// Whether a reminder of the announced plan is due.
  func isPlanDue(_ now: Instant) -> Bool { announced?.changesAt.map { $0 <= now } ?? false }

  func isDue(_ now: Instant) -> Bool { isPlanDue(now) || !missedUntil(now).isEmpty }

  /// The missed reminders to catch up on by now.
  func missedUntil(_ now: Instant) -> Set<ReminderID> { Set(missed.filter { $0.value <= now }.keys) }

  /// Records a check and its deliveries: the missed reminders of delivered items are dropped.
  mutating func recordCheck(_ now: Instant, delivered ids: [ReminderID] = []) {
    missed = missed.filter { id, instant in
      instant > now && !ids.contains { $0.source == id.source && $0.item == id.item }
    }
    checkedUntil = now
    isCheckDue = false
  }

  /// Replaces the announced plan.
  mutating func replace(by new: ReminderPlan) {
    // A reminder that is due in the old plan is still delivered; the new plan has none in the past.
    if isPlanDue(new.madeAt) { isCheckDue = true } else if !isCheckDue { checkedUntil = new.madeAt }
    announced = new
  }

  var plan: ReminderPlan { announced ?? .empty(madeAt: Instant(milliseconds: 0)) }

  /// The number of days ahead for which changes are announced, today included.
  static let horizon = 14
  /// The default maximum number of reminders in a plan.
  static let usualLimit = 64
  /// The maximum number of ids of each kind in an event.
  static let announcedIDs = 100
}
