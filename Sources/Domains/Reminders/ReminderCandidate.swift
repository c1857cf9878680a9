import DaybookProtocol

/// The text of a reminder.
package struct ReminderText: Hashable, Sendable {
  package let title: String
  /// One sentence; may be empty.
  package let body: String

  package init(title: String, body: String = "") {
    self.title = title
    self.body = body
  }
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
  /// The last day, in the plan's zone, to which quiet hours may move it; nil for any.
  package let lastDay: CivilDay?
  /// Whether it is still given later on its last day when nobody could give it in time.
  package let catchesUp: Bool
  /// The actions offered, in display order.
  package let actions: [ReminderAction]
  /// Makes the text, given the fire day in the plan's zone. Called only for reminders within the plan's limit.
  package let text: @Sendable (CivilDay) -> ReminderText

  package init(
    id: ReminderID, zone: TimeZoneRules? = nil, lastDay: CivilDay? = nil, catchesUp: Bool = false,
    actions: [ReminderAction] = [.done, .skip, .snooze, .open], text: @escaping @Sendable (CivilDay) -> ReminderText
  ) {
    self.id = id
    self.zone = zone
    self.lastDay = lastDay
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
