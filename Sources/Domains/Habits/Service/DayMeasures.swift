import DomainKit
import Habits

extension HabitsService {
  /// The values of a measure, ascending by day, without days that have none.
  func values(
    of measure: HabitsMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] {
    var counts: [CivilDay: (due: Int64, done: Int64)] = [:]
    for (_, timeline) in try timelines(context) {
      timeline.visitStandings(days) { index, standing in
        guard standing.counts else { return }
        let day = timeline.day(index)
        let count = counts[day] ?? (0, 0)
        counts[day] = (count.due + 1, count.done + (standing.isMet ? 1 : 0))
      }
    }
    return counts.sorted { $0.key < $1.key }.map { day, count in
      DayValue(day: day, value: Decimal(measure == .habitsDue ? count.due : count.done))
    }
  }

  /// The agenda items of a range of days, ascending by day and then in habit order.
  func habitsAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> AgendaPart {
    var items: [AgendaItem] = []
    let active = try book(context).active(on: days.lowerBound)
    let timelines = try active.map { entry throws(RPCError) in try timeline(entry, through: days.upperBound, context) }
    for day in days.days {
      for (entry, timeline) in zip(active, timelines) {
        let state: AgendaState
        guard entry.habit.archivedDay.map({ day < $0 }) ?? true else { continue }
        switch timeline.state(of: day) {
        case .done: state = .done
        case .open where day >= context.today: state = .due
        case .missed where day == context.today && entry.plan.isBad || timeline.isMissLast(on: day): state = .missed
        case .skipped: state = .skipped
        case .planned: state = .planned
        default: continue
        }
        let record = try figures(entry, context).history[day]
        let habitDay = timeline.habitDay(entry.habit.id, day, record, isAutomatic: entry.habit.source != nil)
        items.append(
          AgendaItem(
            day: day, title: entry.habit.name, detail: detail(entry.habit, habitDay),
            value: habitDay.sum ?? habitDay.value, target: habitDay.target, unit: entry.habit.unit, state: state,
            collection: .habits, id: entry.habit.id, habitId: entry.habit.id))
      }
    }
    return AgendaPart(counting: items)
  }

  func detail(_ habit: Habit, _ day: HabitDay) -> String? {
    guard habit.measure != .binary else { return nil }
    // The unit comes first because it is free text without a known plural.
    return (habit.unit.map { "\($0): " } ?? "") + "\(day.sum ?? day.value) of \(day.target)"
  }
}
