import CivilTime
import DaybookProtocol
import Values

extension AdaptiveExpenditure {
  /// Every day of a range with what is known of it and the estimate as of its end; what is absent is a gap. Each estimate costs
  /// as much as one alone. Days from `running` on are not over, and have none.
  package static func series(
    _ evidence: Evidence, _ range: ClosedRange<CivilDay>, running: CivilDay? = nil
  ) -> [ExpenditureDay] {
    evidence.trend.days(range).map { day in
      let isOver = running.map { day.day < $0 } ?? true
      return ExpenditureDay(
        day: day.day, calories: evidence.intake[day.day], weight: day.weight, trend: day.trend,
        expenditure: isOver ? estimate(evidence, on: day.day.advanced(by: 1)).expenditure : nil)
    }
  }
}
