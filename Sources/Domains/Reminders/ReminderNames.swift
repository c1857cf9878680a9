/// The domain a reminder comes from; more may come.
package struct ReminderSource: RawRepresentable, Hashable, Sendable {
  /// The name as it appears in ids and on the wire.
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Meals not logged yet.
  package static let meals = ReminderSource(rawValue: "meals")
  /// The end of a premium trial.
  package static let trial = ReminderSource(rawValue: "trial")
  /// Charges to come.
  package static let subscriptions = ReminderSource(rawValue: "subscriptions")
  /// Habits not done yet.
  package static let habits = ReminderSource(rawValue: "habits")
  /// Workouts planned.
  package static let training = ReminderSource(rawValue: "training")
}

/// What a person can do about a reminder; more may come.
package struct ReminderAction: RawRepresentable, Hashable, Sendable {
  /// The name as it appears on the wire.
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// What was reminded of has been done.
  package static let done = ReminderAction(rawValue: "done")
  /// This occurrence shall pass.
  package static let skip = ReminderAction(rawValue: "skip")
  /// Again in a while.
  package static let snooze = ReminderAction(rawValue: "snooze")
  /// Show what it is about; settles nothing.
  package static let open = ReminderAction(rawValue: "open")

  /// The actions after which the reminder does not come again.
  package static let outcomes: [ReminderAction] = [.done, .skip]
}
