import CivilTime
import DaybookProtocol

/// What a reminder says.
package struct ReminderText: Hashable, Sendable {
  /// A few words.
  package let title: String
  /// One sentence; may be empty.
  package let body: String

  package init(title: String, body: String = "") {
    self.title = title
    self.body = body
  }
}

/// A reminder that a domain would like to give, before settings, snoozes and what was done about it are looked at.
///
/// A domain gives a candidate for every occurrence that is still open; one that has been dealt with in the domain is none.
/// It never changes; it is a class because many thousands of them are handed on and only few are kept.
package final class ReminderCandidate: Sendable {
  /// What it is about and when, by the wall clock.
  package let id: ReminderID
  /// The zone of that wall clock; nil for the one the plan is made in.
  package let zone: TimeZoneRules?
  /// The last day, in the plan's zone, to which quiet hours may move it; nil when late is better than never.
  package let lastDay: CivilDay?
  /// Whether it still comes on its last day when nobody could give it at its time or soon after.
  package let catchesUp: Bool
  /// What a person can do about it, in the order to be shown.
  package let actions: [ReminderAction]
  /// Makes the text from the day, in the plan's zone, on which it comes; called for those that are near enough to be told, and only
  /// then.
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

/// Where candidates come from, one at a time, so that a far horizon takes no room.
package protocol ReminderCandidates: Sendable {
  /// Calls `body` with every candidate whose wall time, before anything moves it, is at or after `start` and whose day of
  /// firing is not after `end`. In any order; giving more, or one twice, does no harm.
  func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void)
}

extension [ReminderCandidate]: ReminderCandidates {
  /// Gives all of them, for any window.
  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    for candidate in self { body(candidate) }
  }
}

/// The candidates of several domains as one.
package struct JoinedReminderCandidates: ReminderCandidates {
  /// The domains, in any order.
  package let parts: [any ReminderCandidates]

  package init(_ parts: [any ReminderCandidates]) {
    self.parts = parts
  }

  /// Gives those of each in turn.
  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    for part in parts { part.visit(from: start, through: end, body) }
  }
}
