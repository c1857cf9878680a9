import DaybookProtocol

/// The text of a reminder.
package struct ReminderText: Hashable, Sendable {
  package let title: String
  /// One sentence; may be empty.
  package let body: String
  /// What the reminder is about, when the title does not name it.
  package let subject: String?

  package init(title: String, body: String = "", subject: String? = nil) {
    self.title = title
    self.body = body
    self.subject = subject
  }

  /// What is due, for a list of several.
  package var line: String { subject.map { "\(title): \($0)" } ?? title }
}

/// A reminder a domain wants to give, before settings, snoozes and its state are applied.
///
/// A domain has a candidate for every open occurrence. An immutable class, because many thousands are passed around and
/// few kept.
package final class ReminderCandidate: Sendable {
  /// The subject and the wall-clock time.
  package let id: ReminderID
  /// The zone of the wall-clock time; nil for the plan's zone.
  package let zone: TimeZoneRules?
  /// Whether its day is over, so that only a snooze or quiet hours still give it.
  package let isOver: Bool
  /// Whether it is still given later on its day when nobody could give it in time.
  package let catchesUp: Bool
  /// The actions offered, in display order.
  package let actions: [ReminderAction]
  /// Makes the text, given the user's day on which it fires. Called only for reminders within the plan's limit.
  package let text: @Sendable (CivilDay) -> ReminderText

  package init(
    id: ReminderID, zone: TimeZoneRules? = nil, isOver: Bool = false, catchesUp: Bool = false,
    actions: [ReminderAction] = [.done, .skip, .snooze, .open], text: @escaping @Sendable (CivilDay) -> ReminderText
  ) {
    self.id = id
    self.zone = zone
    self.isOver = isOver
    self.catchesUp = catchesUp
    self.actions = actions
    self.text = text
  }
}

/// A source of candidates. It visits them one at a time, so that a far horizon needs no memory.
package protocol ReminderCandidates: Sendable {
  /// Calls `body` with every candidate whose own wall-clock time is at or after `start` and whose fire day is at most
  /// `end`. The order is arbitrary; extra and repeated candidates are allowed.
  func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void)
}

extension [ReminderCandidate]: ReminderCandidates {
  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    for candidate in self { body(candidate) }
  }
}

/// The candidates of several domains.
package struct JoinedReminderCandidates: ReminderCandidates {
  package let parts: [any ReminderCandidates]

  package init(_ parts: [any ReminderCandidates]) {
    self.parts = parts
  }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    for part in parts { part.visit(from: start, through: end, body) }
  }
}
