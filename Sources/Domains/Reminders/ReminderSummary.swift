import CivilTime
import DaybookProtocol

/// Reminders held back by quiet hours come as one summary when these end.
extension [ScheduledReminder] {
  /// Replaces reminders that quiet hours moved to one instant by a summary, if several remain after keeping only the
  /// latest of each item. In any order.
  func united(in zone: TimeZoneRules) -> [ScheduledReminder] {
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
        body: parts.map { $0.candidate.text(day).title }.joined(separator: "; "))
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
