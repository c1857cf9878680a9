import CivilTime

/// A habit day by day from its start, as the basis of all its statistics.
package struct HabitTimeline: Sendable {
  package struct Facts: Sendable, Equatable {
    /// The value in thousandths; 0 without data.
    package fileprivate(set) var value: Int64 = 0
    /// The amount that is judged, in thousandths: the value, or the rolling sum of the days of the target. Neutral days
    /// are no part of it, so days before a pause still count after it.
    package fileprivate(set) var amount: Int64 = 0
    package fileprivate(set) var hasValue = false
    package fileprivate(set) var isMeasured = false
    package fileprivate(set) var isSkipped = false
    /// Whether the habit is paused or archived.
    package fileprivate(set) var isInactive = false
    /// Whether the schedule includes the day; always true for schedules per period.
    package fileprivate(set) var isScheduled = true
    package fileprivate(set) var isMet = false
    /// For `perDays`: whether the day lies in an interval with enough successes.
    package fileprivate(set) var isCovered = false

    /// Whether the day counts neither way.
    package var isNeutral: Bool { isSkipped || isInactive }
  }

  package let plan: HabitPlan
  package let today: CivilDay
  /// The first day of the week, 0…6 from Monday.
  package let firstWeekday: Int
  /// The days covered; nil when the habit has not begun.
  package let span: ClosedRange<CivilDay>?
  /// The facts of each day of the span.
  package let facts: [Facts]

  /// - Parameter through: The last day to cover; at least today, or the end of its week or month, is always covered.
  package init(
    _ plan: HabitPlan, _ history: HabitHistory, today: CivilDay, firstWeekday: Int, through: CivilDay? = nil
  ) {
    self.plan = plan
    self.today = today
    self.firstWeekday = firstWeekday
    // Days marked ahead in the current week or month affect how much of it is due.
    let period = plan.period(of: today, firstWeekday: firstWeekday)?.upperBound ?? today
    let wanted = max(today, period, through ?? today)
    let last = min(wanted, plan.end ?? wanted)
    guard plan.start <= last else {
      (span, facts) = (nil, [])
      return
    }
    let span = plan.start...last
    self.span = span
    var facts = [Facts](repeating: Facts(), count: span.dayCount)
    HabitTimeline.fill(&facts, span, plan, history)
    if case .perDays(let times, let days) = plan.schedule {
      let past = min(max(0, Int(today.daysSinceEpoch) - Int(plan.start.daysSinceEpoch) + 1), facts.count)
      let met = (0..<past).filter { facts[$0].isMet && !facts[$0].isNeutral }
      for range in LoopIntervals.covered(times: times, days: days, met: met) {
        for index in range.clamped(to: 0..<facts.count) { facts[index].isCovered = true }
      }
    }
    self.facts = facts
  }

  private static func fill(
    _ facts: inout [Facts], _ span: ClosedRange<CivilDay>, _ plan: HabitPlan, _ history: HabitHistory
  ) {
    let first = Int(span.lowerBound.daysSinceEpoch)
    if plan.isMet(by: 0) { for index in facts.indices { facts[index].isMet = true } }
    for record in history[span] {
      let index = Int(record.day.daysSinceEpoch) - first
      facts[index].isSkipped = record.isSkipped
      guard let value = record.value else { continue }
      facts[index].value = value
      facts[index].hasValue = true
      facts[index].isMeasured = record.isMeasured
      facts[index].amount = value
      facts[index].isMet = plan.isMet(by: value)
    }
    for pause in plan.pauses where pause.overlaps(span) {
      let days = pause.clamped(to: span)
      let from = Int(days.lowerBound.daysSinceEpoch) - first
      for index in from..<from + days.dayCount { facts[index].isInactive = true }
    }
    if let archived = plan.archivedDay, archived <= span.upperBound {
      for index in max(0, Int(archived.daysSinceEpoch) - first)..<facts.count { facts[index].isInactive = true }
    }
    if plan.targetDays > 1 { sum(&facts, plan) }
    switch plan.schedule {
    case .weekdays, .everyDays:
      for index in facts.indices { facts[index].isScheduled = plan.isScheduled(span.lowerBound.advanced(by: index)) }
    case .daily, .perWeek, .perMonth, .perDays: break
    }
  }

  /// Judges each day by the sum of the days of the target that end with it.
  private static func sum(_ facts: inout [Facts], _ plan: HabitPlan) {
    var (sum, count, oldest) = (Int64(0), 0, 0)
    for index in facts.indices {
      if !facts[index].isNeutral {
        sum = Thousandths.sum(sum, facts[index].value)
        count += 1
      }
      while count > plan.targetDays {
        if !facts[oldest].isNeutral {
          sum -= facts[oldest].value
          count -= 1
        }
        oldest += 1
      }
      facts[index].amount = sum
      facts[index].isMet = plan.isMet(by: sum)
    }
  }

  package func day(_ index: Int) -> CivilDay {
    CivilDay(daysSinceEpoch: (span?.lowerBound.daysSinceEpoch ?? 0) + Int32(truncatingIfNeeded: index))
  }

  /// The index of a day; nil outside the span.
  package func index(of day: CivilDay) -> Int? {
    guard let span, span.contains(day) else { return nil }
    return Int(day.daysSinceEpoch) - Int(span.lowerBound.daysSinceEpoch)
  }

  /// The facts of a day; nil outside the span.
  package subscript(day: CivilDay) -> Facts? { index(of: day).map { facts[$0] } }

  /// The indices of a range of days, clamped to the span.
  package func indices(of days: ClosedRange<CivilDay>) -> Range<Int> {
    guard let span, span.overlaps(days) else { return 0..<0 }
    let days = days.clamped(to: span)
    let from = Int(days.lowerBound.daysSinceEpoch) - Int(span.lowerBound.daysSinceEpoch)
    return from..<from + days.dayCount
  }

  /// The indices up to today.
  package var past: Range<Int> {
    guard let span, span.lowerBound <= today else { return 0..<0 }
    return indices(of: span.lowerBound...today)
  }

  /// Whether a day is undecided: today or later, and not met.
  package func isRunning(_ index: Int) -> Bool {
    day(index) >= today && !(facts[index].isMet && !facts[index].isSkipped)
  }
}
