import DaybookProtocol
import Reminders

/// The reminders of a habit: at each reminder time, on each day that is due and not done.
///
/// Ids contain the habit and the day: `habits:<id>:2026-05-10:0730`.
package struct HabitReminders: ReminderCandidates {
  private let habit: Habit
  private let timeline: HabitTimeline
  /// The streak that completing today would extend.
  private let streak: Int
  private let zone: TimeZoneRules
  private let dayStart: DayStart

  package init(_ habit: Habit, _ timeline: HabitTimeline, streak: Int, zone: TimeZoneRules, dayStart: DayStart) {
    (self.habit, self.timeline, self.streak, self.zone, self.dayStart) = (habit, timeline, streak, zone, dayStart)
  }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A snoozed reminder may belong to yesterday.
    let first = zone.day(at: start).advanced(by: -1)
    guard first <= end else { return }
    for day in (first...end).days {
      let state = timeline.state(of: day)
      let isOver = day < timeline.today
      for reminder in habit.reminders ?? [] where reminds(reminder, on: day, state) {
        let minute = reminder.time.minutesOfDay
        guard let id = try? ReminderID(source: .habits, item: "\(habit.id)", day: day, minute: minute) else { continue }
        let text = text(on: day)
        // A time before the habit was created was not missed.
        let time = zone.instant(dayStart.calendarDay(of: day, minuteOfDay: minute), minuteOfDay: minute)
        body(
          ReminderCandidate(
            id: id, isOver: isOver, catchesUp: day == timeline.today && time > habit.createdAt,
            actions: HabitReminders.actions(habit)
          ) { _ in text })
      }
    }
  }

  /// Whether a reminder is one of a habit, in any state of its day.
  package static func gives(_ id: ReminderID, _ habit: Habit) -> Bool {
    guard id.item == "\(habit.id)", id.leadDays == 0, habit.archivedDay == nil, id.day >= habit.startDay,
      habit.endDay.map({ id.day <= $0 }) ?? true
    else { return false }
    return habit.reminders?.contains { $0.time.minutesOfDay == id.minute && isOn($0, id.day) } ?? false
  }

  /// The actions of a habit's reminders; a `bad` habit cannot be completed.
  package static func actions(_ habit: Habit) -> [ReminderAction] {
    habit.kind == .bad ? [.snooze, .skip, .open] : [.done, .snooze, .skip, .open]
  }

  private static func isOn(_ reminder: HabitReminder, _ day: CivilDay) -> Bool {
    reminder.weekdays?.contains(Weekday.known[day.weekdayIndex]) ?? true
  }

  private func reminds(_ reminder: HabitReminder, on day: CivilDay, _ state: HabitDayState) -> Bool {
    guard HabitReminders.isOn(reminder, day) else { return false }
    // After its day, a habit that was open then is missed, and a `bad` one done.
    let isBadAndOver = habit.kind == .bad && day < timeline.today
    switch state {
    case .open, .planned: return true
    case .missed: return day < timeline.today && !isBadAndOver
    case .done: return reminder.always == true || isBadAndOver
    default: return false
    }
  }

  private func text(on day: CivilDay) -> ReminderText {
    let question = habit.question ?? ""
    guard day == timeline.today, streak > 0 else { return ReminderText(title: habit.name, body: question) }
    let streak = "Streak: \(streak) \(HabitReminders.noun(timeline.streakUnit, streak))."
    return ReminderText(title: habit.name, body: question.isEmpty ? streak : "\(question) \(streak)")
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
