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

extension Set<ScheduledReminder> {
  /// The nearest `limit` reminders, ascending. O(n log limit).
  func nearest(_ limit: Int) -> [ScheduledReminder] {
    let limit = Swift.min(Swift.max(limit, 0), count)
    var nearest: [ScheduledReminder] = []
    var farthest: ScheduledReminder?
    func trim() {
      nearest.sort { $0.isNearer(than: $1) }
      nearest.removeLast(Swift.max(nearest.count - limit, 0))
      farthest = nearest.last
    }
    for reminder in self {
      if let farthest, !reminder.isNearer(than: farthest) { continue }
      nearest.append(reminder)
      if nearest.count > 2 * limit { trim() }
    }
    trim()
    return nearest
  }
}

/// Reminders held back by quiet hours come as one summary when these end.
extension [ScheduledReminder] {
  /// Replaces reminders that quiet hours moved to one instant by a summary, if several remain after keeping only the
  /// latest of each item. In any order.
  func summarized(in zone: TimeZoneRules) -> [ScheduledReminder] {
    var result: [ScheduledReminder] = []
    var moved: [Instant: [ScheduledReminder]] = [:]
    for reminder in self {
      if reminder.isMoved { moved[reminder.fireAt, default: []].append(reminder) } else { result.append(reminder) }
    }
    for (instant, group) in moved {
      let latest = ReminderItem.latest(of: group)
      let parts = group.filter { part in latest[ReminderItem(part)].map { part.isFollowed(by: $0) } != true }
      if let summary = parts.count > 1 ? ScheduledReminder(summaryOf: parts, at: instant, in: zone) : nil {
        result.append(summary)
      } else {
        result += parts
      }
    }
    return result
  }
}

extension ScheduledReminder {
  /// A summary of several reminders; nil on a day that a reminder id cannot have.
  fileprivate init?(summaryOf parts: [ScheduledReminder], at instant: Instant, in zone: TimeZoneRules) {
    let shown = zone.wallClock(at: instant)
    let parts = parts.sorted { $0.base != $1.base ? $0.base < $1.base : $0.candidate.id < $1.candidate.id }
    guard
      let id = try? ReminderID(
        source: .summary, item: "quietHours", day: shown.day, minute: shown.secondOfDay / 60)
    else { return nil }
    let candidate = ReminderCandidate(id: id, actions: [.open]) { day in
      ReminderText(
        title: "\(parts.count) reminders came in quiet hours",
        body: parts.map { $0.candidate.text(day).line }.joined(separator: "; "))
    }
    self.init(candidate: candidate, base: instant, fireAt: instant, isSnoozed: false, isMoved: true, parts: parts)
  }

  /// Whether the other comes later, or at the same instant by quiet hours but later by its own time. Two of one item
  /// with the same own time, such as for two charges, do not follow each other.
  func isFollowed(by other: ScheduledReminder) -> Bool {
    fireAt != other.fireAt ? fireAt < other.fireAt : base < other.base
  }
}

/// The subject of a reminder, without its time.
struct ReminderItem: Hashable {
  let source: ReminderSource
  let item: String

  init(_ reminder: ScheduledReminder) {
    source = reminder.candidate.id.source
    item = reminder.candidate.id.item
  }

  /// The latest reminder of each item.
  static func latest(of reminders: some Sequence<ScheduledReminder>) -> [ReminderItem: ScheduledReminder] {
    var latest: [ReminderItem: ScheduledReminder] = [:]
    for reminder in reminders {
      let item = ReminderItem(reminder)
      if let other = latest[item], !other.isFollowed(by: reminder) { continue }
      latest[item] = reminder
    }
    return latest
  }
}
