import DaybookProtocol

/// Decides whether to propose a measured expenditure instead of the one in the settings.
package enum ProposalRules {
  /// Differences up to this are not worth a change: the band of a day on track, kcal a day.
  static let worthwhile = 50

  package enum Outcome: Sendable, Equatable {
    /// kcal a day.
    case propose(Int)
    case nothing(ProposalReason)
  }

  package static func accepting(_ total: Int, in settings: Settings) -> Settings {
    var settings = settings
    settings.totalCalories = total
    settings.totalCaloriesSource = .adaptive
    return settings
  }

  /// Proposes an estimate of at least medium confidence that differs from the settings by more than its uncertainty.
  package static func outcome(_ estimate: ExpenditureEstimate, settings: Settings) -> Outcome {
    guard let value = estimate.expenditure, let confidence = estimate.confidence else { return .nothing(.noEstimate) }
    switch confidence {
    case .low, .unknown: return .nothing(.lowConfidence)
    case .medium, .high: break
    }
    guard (1...20_000).contains(value) else { return .nothing(.noEstimate) }
    guard abs(value - settings.totalCalories) > worthwhile else { return .nothing(.closeEnough) }
    guard abs(value - settings.totalCalories) > estimate.uncertainty ?? 0 else { return .nothing(.withinUncertainty) }
    return .propose(value)
  }
}

extension AdaptiveExpenditure {
  /// Each day of a range with its intake, weight and the estimate as of its end; missing values are gaps. Days from `running` on
  /// have no estimate.
  ///
  /// - Complexity: One estimate per day.
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

package enum ExpenditureSeries {
  /// A point for each bucket that a range touches, oldest first. `days` covers these buckets, ascending.
  package static func points(
    _ kind: SeriesBucket, in range: ClosedRange<CivilDay>, of days: [ExpenditureDay], firstWeekday: Int
  ) -> [ExpenditurePoint] {
    var rest = days[...]
    return kind.periods(in: range, firstWeekday: firstWeekday).map { bucket in
      rest = rest.drop { $0.day < bucket.lowerBound }
      return point(bucket, of: rest.prefix { $0.day <= bucket.upperBound })
    }
  }

  /// The point of a bucket; averages are truncated.
  static func point(_ bucket: ClosedRange<CivilDay>, of days: some BidirectionalCollection<ExpenditureDay>)
    -> ExpenditurePoint
  {
    let intake = days.compactMap(\.calories)
    let estimates = days.compactMap(\.expenditure)
    return ExpenditurePoint(
      from: bucket.lowerBound, to: bucket.upperBound, loggedDays: intake.count,
      calories: PeriodRules.average(intake.reduce(0, +), over: intake.count),
      trend: days.last { $0.trend != nil }?.trend, estimates: estimates.count,
      expenditure: PeriodRules.average(estimates.reduce(0, +), over: estimates.count))
  }
}
