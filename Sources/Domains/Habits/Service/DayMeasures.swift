import CivilTime
import DaybookProtocol
import DomainKit
import Habits
import JSONRPC
import Values

extension HabitsService {
  /// A measure on some days, ascending by day, without those of which there is none.
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

  /// The habits of some days for the agenda, ascending by day, those of a day in their order.
  func habitsAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaItem] {
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
        case .missed where day == context.today && entry.plan.isBad: state = .missed
        case .planned: state = .planned
        default: continue
        }
        let habitDay = timeline.habitDay(entry.habit.id, day, isAutomatic: entry.habit.source != nil)
        items.append(
          AgendaItem(
            day: day, title: entry.habit.name, detail: detail(entry.habit, habitDay), state: state,
            collection: .habits, id: entry.habit.id))
      }
    }
    return items
  }

  private func detail(_ habit: Habit, _ day: HabitDay) -> String? {
    guard habit.measure != .binary else { return nil }
    // The unit stands apart, as it was entered: it may have a plural of its own, or none.
    return (habit.unit.map { "\($0): " } ?? "") + "\(day.value) of \(day.target)"
  }
}
