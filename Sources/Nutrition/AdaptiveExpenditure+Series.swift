import CivilTime
import DaybookProtocol
import Values

extension AdaptiveExpenditure {
  /// Every day of a range with what is known of it and the estimate as of its end; what is absent is a gap. Each estimate costs
  /// as much as one alone.
  package static func series(_ evidence: Evidence, _ range: ClosedRange<CivilDay>) -> [ExpenditureDay] {
    evidence.trend.days(range).map { day in
      ExpenditureDay(
        day: day.day, calories: evidence.intake[day.day], weight: day.weight, trend: day.trend,
        expenditure: estimate(evidence, on: day.day.advanced(by: 1)).expenditure)
    }
  }
}
