import DaybookProtocol
import Testing

@testable import Habits

/// A Monday.
let monday = CivilDay(daysSinceEpoch: 20_458)

func day(_ text: String) -> CivilDay {
  guard let day = CivilDay(text) else {
    Issue.record("no day: \(text)")
    return monday
  }
  return day
}

extension HabitTimeline {
  /// A habit drawn from its start to today: `x` for the target, `.` for nothing, `s` for a skip, a digit for that
  /// amount. Spaces are ignored.
  init(
    _ drawing: String, _ schedule: HabitPlan.Schedule = .daily, isBad: Bool = false, target: Int64 = 1,
    start: CivilDay = monday, end: CivilDay? = nil, pauses: [ClosedRange<CivilDay>] = [], archivedDay: CivilDay? = nil,
    firstWeekday: Int = 0, today: CivilDay? = nil
  ) {
    let marks = drawing.filter { $0 != " " }
    let plan = HabitPlan(
      isBad: isBad, target: target * 1000, schedule: schedule, start: start, end: end, pauses: pauses,
      archivedDay: archivedDay)
    let records = marks.enumerated().compactMap { number, mark -> HabitRecord? in
      let day = start.advanced(by: number)
      switch mark {
      case "x": return HabitRecord(day, target * 1000)
      case "s": return HabitRecord(day, nil, isSkipped: true)
      default: return mark.wholeNumberValue.map { HabitRecord(day, Int64($0) * 1000) }
      }
    }
    self.init(
      plan, HabitHistory(records), today: today ?? start.advanced(by: marks.count - 1), firstWeekday: firstWeekday)
  }

  /// The current streak, whether it is at risk, and the longest.
  var standing: String {
    let summary = streaks().summary
    return "\(summary.current)\(summary.atRisk ? " at risk" : "") of \(summary.longest)"
  }
}

extension HabitRate {
  /// The successes and the days due.
  var text: String { "\(done)/\(expected)" }
}

extension Habit {
  /// A habit of a category.
  init(number: Int, name: String = "Habit", category: EntityID? = nil, archivedDay: CivilDay? = nil) {
    let instant = Instant(milliseconds: 0)
    self.init(
      id: EntityID(high: 1, low: UInt64(number)), name: name, colour: HabitRules.defaultColour, kind: .good,
      measure: .binary, target: Decimal(1), schedule: HabitSchedule(kind: .daily), startDay: monday,
      categoryId: category,
      order: number, archivedDay: archivedDay, createdAt: instant, updatedAt: instant)
  }
}
