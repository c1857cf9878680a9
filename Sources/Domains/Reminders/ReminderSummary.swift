import CivilTime
import DaybookProtocol

/// What quiet hours have kept back comes as one reminder when they end, not as a burst.
extension [ScheduledReminder] {
  /// The same with one summary in the place of those that quiet hours moved to one instant; one alone stays what it is. Of one item
  /// only the latest is left. In any order.
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
  /// One reminder for several; nil for a day that no reminder has.
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

  /// Whether the other comes later, or at the end of the same quiet hours but later by its own clock. Two of one item that
  /// are meant for one instant, as for two charges, do not follow each other.
  func isFollowed(by other: ScheduledReminder) -> Bool {
    fireAt != other.fireAt ? fireAt < other.fireAt : base < other.base
  }
}

/// What a reminder is about, whenever.
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
