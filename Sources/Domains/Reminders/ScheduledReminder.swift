import CivilTime
import DaybookProtocol

/// A candidate with its fire time. Equality is by id.
struct ScheduledReminder: Hashable, Sendable {
  let candidate: ReminderCandidate
  /// Its own wall-clock time, before snooze and quiet hours.
  let base: Instant
  let fireAt: Instant
  let isSnoozed: Bool
  /// Whether quiet hours moved it.
  var isMoved = false
  /// The reminders that a summary stands for, ascending by their own times and then id; empty for a single reminder.
  var parts: [ScheduledReminder] = []

  static func == (left: ScheduledReminder, right: ScheduledReminder) -> Bool {
    left.candidate.id == right.candidate.id
  }

  func hash(into hasher: inout Hasher) { hasher.combine(candidate.id) }

  /// The order by fire time and then id.
  func isNearer(than other: ScheduledReminder) -> Bool {
    fireAt != other.fireAt ? fireAt < other.fireAt : candidate.id < other.candidate.id
  }

  /// Whether to keep this one of two with the same id, independent of visiting order.
  func isPreferred(to other: ScheduledReminder) -> Bool {
    if fireAt != other.fireAt { return fireAt < other.fireAt }
    if base != other.base { return base < other.base }
    // Compares bytes: `==` on strings treats canonically equivalent texts as equal, so the visiting order would decide.
    let (mine, others) = (words, other.words)
    for (word, other) in zip(mine, others) where !word.utf8.elementsEqual(other.utf8) {
      return word.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return mine.count < others.count
  }

  /// All of its visible text.
  private var words: [String] {
    let text = candidate.text(candidate.id.fireDay)
    return [text.title, text.body] + candidate.actions.map(\.rawValue)
  }
}
