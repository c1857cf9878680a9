import DaybookProtocol

/// How days count in statistics over several habits.
extension HabitTimeline {
  /// Whether a day counts, and whether it was met.
  package struct Standing: Sendable, Equatable {
    /// Whether it is due, or its period already suffices.
    package var counts: Bool
    /// Whether it was met, or nothing had to be done.
    package var isMet: Bool
  }

  /// The standing of a single day.
  package func standing(on day: CivilDay) -> Standing {
    switch state(of: day) {
    case .done: Standing(counts: due(on: day).isDue || plan.timesPerPeriod != nil, isMet: true)
    case .open: Standing(counts: true, isMet: self[day].map { plan.isBad && $0.isMet } ?? false)
    case .missed, .planned: Standing(counts: true, isMet: false)
    case .satisfied: Standing(counts: true, isMet: true)
    case .notDue, .skipped, .paused, .outside, .unknown: Standing(counts: false, isMet: false)
    }
  }

  /// Calls `body` with the index and standing of each day of a range up to today, ascending. Equal to calling
  /// `standing(on:)` for each day, but O(days).
  package func visitStandings(_ days: ClosedRange<CivilDay>, _ body: (Int, Standing) -> Void) {
    let range = indices(of: days).clamped(to: past)
    switch plan.schedule {
    case .daily, .weekdays, .everyDays:
      for index in range {
        let facts = facts[index]
        let counts = facts.isScheduled && !facts.isNeutral
        body(index, Standing(counts: counts, isMet: counts && facts.isMet))
      }
    case .perDays:
      for index in range {
        let counts = !facts[index].isNeutral
        body(index, Standing(counts: counts, isMet: counts && (facts[index].isMet || facts[index].isCovered)))
      }
    case .perWeek(let times), .perMonth(let times): visitPeriods(times, range, body)
    }
  }

  private func isMark(_ index: Int) -> Bool { facts[index].isMet && !facts[index].isNeutral }

  private func visitPeriods(_ times: Int, _ range: Range<Int>, _ body: (Int, Standing) -> Void) {
    var index = range.lowerBound
    while index < range.upperBound, let period = plan.period(of: day(index), firstWeekday: firstWeekday) {
      let whole = indices(of: period)
      let needed = isOver(period) ? requiredDays(times, whole) : min(times, whole.count { !facts[$0].isNeutral })
      // Days of a `bad` habit after today do not count as met yet.
      let total = whole.count { isMark($0) && (!plan.isBad || past.contains($0)) }
      while index < min(whole.upperBound, range.upperBound) {
        let counts = !facts[index].isNeutral
        body(index, Standing(counts: counts, isMet: counts && (facts[index].isMet || total >= needed)))
        index += 1
      }
    }
  }
}
