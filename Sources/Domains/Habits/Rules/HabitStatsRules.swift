import DaybookProtocol

/// Statistics of a habit: totals of a range, series, and heat maps.
extension HabitTimeline {
  /// The statistics of a range, clamped to the days that count; if there are none, the range is reported as requested.
  ///
  /// - Parameter strength: `HabitStrength.series` of the timeline.
  package func stats(_ id: EntityID, _ days: ClosedRange<CivilDay>, strength: [Double]) -> HabitStats {
    let (first, last) = (max(days.lowerBound, plan.start), min(days.upperBound, min(plan.end ?? today, today)))
    let days = first <= last ? first...last : days
    let streaks = streaks().summary
    let sums = sums(days)
    return HabitStats(
      habitId: id, from: days.lowerBound, to: days.upperBound, streaks: streaks,
      strength: HabitTimeline.strength(strength.last ?? 0),
      trend: HabitTrend(current: streaks.current, longest: streaks.longest), rate: rate(days),
      comparison: comparison(days),
      total: Thousandths.decimal(sums.total), recordedDays: sums.recorded,
      average: sums.recorded > 0 ? Thousandths.decimal(sums.total / Int64(sums.recorded)) : nil,
      best: sums.best.map(Thousandths.decimal), skippedDays: sums.skipped, weekdays: weekdayRates(days),
      nextMilestone: isOver || plan.isBad ? nil : Milestones.next(after: streaks.current))
  }

  /// Whether no day from today on can count: the habit has ended or is archived.
  private var isOver: Bool { plan.end.map { $0 < today } ?? false || plan.archivedDay.map { $0 <= today } ?? false }

  /// The rate compared with the preceding range of the same length.
  package func comparison(_ days: ClosedRange<CivilDay>) -> RateComparison {
    let previous = rate(days.before)
    return RateComparison(previous: previous, change: rate(days).change(from: previous))
  }

  /// Totals of the values in a range up to today, in thousandths. Values of neutral days are not counted.
  private func sums(_ days: ClosedRange<CivilDay>) -> (total: Int64, recorded: Int, best: Int64?, skipped: Int) {
    var (total, recorded, best, skipped) = (Int64(0), 0, Int64?.none, 0)
    for index in indices(of: days).clamped(to: past) {
      let facts = facts[index]
      if facts.isSkipped { skipped += 1 }
      guard facts.hasValue, !facts.isNeutral else { continue }
      total = Thousandths.sum(total, facts.value)
      recorded += 1
      best = max(best ?? facts.value, facts.value)
    }
    return (total, recorded, best, skipped)
  }

  /// A point for every day, week, month or year that overlaps a range, oldest first; the first and last periods are
  /// complete.
  ///
  /// - Parameter strength: `HabitStrength.series` of the timeline.
  package func points(_ step: SeriesBucket, _ days: ClosedRange<CivilDay>, strength: [Double]) -> [HabitPoint] {
    step.periods(in: days, firstWeekday: firstWeekday).map { whole in
      let sums = sums(whole)
      return HabitPoint(
        from: whole.lowerBound, to: whole.upperBound,
        value: sums.recorded > 0 ? Thousandths.decimal(sums.total) : nil, rate: rate(whole),
        strength: self.strength(on: whole.upperBound, strength))
    }
  }

  /// The strength on a day; nil before the start and after today, constant after the end.
  private func strength(on day: CivilDay, _ series: [Double]) -> Decimal? {
    guard day >= plan.start, day <= today, let last = series.last else { return nil }
    let index = Int(day.daysSinceEpoch) - Int(plan.start.daysSinceEpoch)
    return HabitTimeline.strength(index < series.count ? series[index] : last)
  }

  /// A strength with four digits.
  package static func strength(_ value: Double) -> Decimal { Decimal(rounding: value, toScale: 4) ?? .zero }

  /// The state of each day of a range, with the progress of days that were due or met.
  package func heatMap(_ days: ClosedRange<CivilDay>) -> [HeatCell] {
    days.days.map { day in
      let state = state(of: day)
      return HeatCell(day: day, level: state.counts ? progress(self[day]?.amount ?? 0) : nil, state: state)
    }
  }
}

extension HabitDayState {
  /// Whether days in this state have a level in the heat map.
  fileprivate var counts: Bool {
    switch self {
    case .done, .open, .missed, .satisfied: true
    case .notDue, .skipped, .paused, .planned, .outside, .unknown: false
    }
  }
}

extension ClosedRange where Bound == CivilDay {
  /// The preceding range of the same length.
  package var before: ClosedRange<CivilDay> { lowerBound.advanced(by: -dayCount)...lowerBound.advanced(by: -1) }
}

extension HabitTrend {
  /// Compares a streak with the longest one: improving above 80 % of it, declining below half, in whole numbers.
  package init(current: Int, longest: Int) {
    self = current > longest * 4 / 5 ? .improving : current < longest / 2 ? .declining : .stable
  }
}
