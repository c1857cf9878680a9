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
  /// Which file that was.
  var file: FileMark?
  /// Whether the device lets the frontend remind, as far as it said.
  var authorization: NotificationAuthorization?
  /// The lock that makes this process the one that gives reminders; nil while it is not.
  var turn: FileTurn?
  /// Up to when it was looked for what is due.
  var lookedUntil: Instant?

  /// The plan of the next days.
  var plan: ReminderPlan { told ?? .empty(madeAt: Instant(milliseconds: 0)) }

  /// How many days ahead clients are told of changes, today included.
  static let horizon = 14
  /// How many reminders a plan holds unless the client says how many it can.
  static let usualLimit = 64
  /// How many ids of each kind an event names at most.
  static let toldIDs = 100
}
