import CivilTime
import DaybookProtocol

/// A candidate with when it comes. Two of them are equal when their ids are.
struct ScheduledReminder: Hashable, Sendable {
  let candidate: ReminderCandidate
  /// When it would come by its own wall clock.
  let base: Instant
  let fireAt: Instant
  let isSnoozed: Bool
  /// Whether quiet hours moved it.
  var isMoved = false
  /// Those that it sums up, ascending by their own clocks and then by id; empty for a reminder of one thing.
  var parts: [ScheduledReminder] = []

  static func == (left: ScheduledReminder, right: ScheduledReminder) -> Bool {
    left.candidate.id == right.candidate.id
  }

  func hash(into hasher: inout Hasher) { hasher.combine(candidate.id) }

  /// Whether it is nearer than another; the id parts those of one instant.
  func isNearer(than other: ScheduledReminder) -> Bool {
    fireAt != other.fireAt ? fireAt < other.fireAt : candidate.id < other.candidate.id
  }

  /// Whether it is the one to keep of two with one id, whichever came first.
  func isPreferred(to other: ScheduledReminder) -> Bool {
    if fireAt != other.fireAt { return fireAt < other.fireAt }
    if base != other.base { return base < other.base }
    // By their bytes: texts that only look alike are equal to `==`, and the first to come would win.
    let (mine, others) = (words, other.words)
    for (word, other) in zip(mine, others) where !word.utf8.elementsEqual(other.utf8) {
      return word.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return mine.count < others.count
  }

  /// Everything a person would read of it.
  private var words: [String] {
    let text = candidate.text(candidate.id.fireDay)
    return [text.title, text.body] + candidate.actions.map(\.rawValue)
  }
}
