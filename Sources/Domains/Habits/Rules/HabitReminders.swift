import DaybookProtocol
import Reminders

/// The reminders of habits: at each reminder time, on each day that is due and not done.
///
/// Ids contain the habit and the day: `habits:<id>:2026-05-10:0730`.
package struct HabitReminders: ReminderCandidates {
  /// A habit with the streak that completing today would extend.
  package typealias Item = (habit: Habit, timeline: HabitTimeline, streak: Int)

  private let items: [Item]
  private let zone: TimeZoneRules

  package init(_ items: [Item], zone: TimeZoneRules) {
    self.items = items
    self.zone = zone
  }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A snoozed reminder may belong to yesterday.
    let first = zone.day(at: start).advanced(by: -1)
    guard first <= end else { return }
    for item in items {
      for day in (first...end).days {
        let state = item.timeline.state(of: day)
        for reminder in item.habit.reminders ?? [] where HabitReminders.reminds(reminder, on: day, state) {
          guard
            let id = try? ReminderID(
              source: .habits, item: "\(item.habit.id)", day: day, minute: reminder.time.minutesOfDay)
          else { continue }
          let text = text(item, on: day)
          // A time before the habit was created was not missed.
          let isOlder = day == item.timeline.today && zone.instant(day, minuteOfDay: id.minute) > item.habit.createdAt
          body(
            ReminderCandidate(
              id: id, lastDay: day, catchesUp: isOlder, actions: HabitReminders.actions(item.habit)
            ) { _ in text })
        }
      }
    }
  }

  /// The actions of a habit's reminders; a `bad` habit cannot be completed.
  package static func actions(_ habit: Habit) -> [ReminderAction] {
    habit.kind == .bad ? [.snooze, .skip, .open] : [.done, .snooze, .skip, .open]
  }

  private static func reminds(_ reminder: HabitReminder, on day: CivilDay, _ state: HabitDayState) -> Bool {
    if let days = reminder.weekdays, !days.contains(Weekday.known[day.weekdayIndex]) { return false }
    switch state {
    case .open, .planned: return true
    case .done: return reminder.always == true
    default: return false
    }
  }

  private func text(_ item: Item, on day: CivilDay) -> ReminderText {
    let question = item.habit.question ?? ""
    guard day == item.timeline.today, item.streak > 0 else {
      return ReminderText(title: item.habit.name, body: question)
    }
    let streak = "Streak: \(item.streak) \(HabitReminders.noun(item.timeline.streakUnit, item.streak))."
    return ReminderText(title: item.habit.name, body: question.isEmpty ? streak : "\(question) \(streak)")
  }

  private static func noun(_ unit: StreakUnit, _ count: Int) -> String {
    let one =
      switch unit {
      case .weeks: "week"
      case .months: "month"
      case .days, .unknown: "day"
      }
    return count == 1 ? one : one + "s"
  }
}
