import CivilTime
import DaybookProtocol

/// How days count beside those of other habits.
extension HabitTimeline {
  /// Whether a day counts, and whether it was met.
  package struct Standing: Sendable, Equatable {
    /// Whether it is due, or its week, month or interval has enough.
    package var counts: Bool
    /// Whether it was met, or nothing had to be done.
    package var isMet: Bool

    package init(counts: Bool, isMet: Bool) {
      self.counts = counts
      self.isMet = isMet
    }

    /// A day that counts nowhere.
    package static let none = Standing(counts: false, isMet: false)
  }

  /// Days of a range that count for a dashboard, and whether they were met: due ones, and those of a period that has enough.
  package func standing(on day: CivilDay) -> (counts: Bool, isMet: Bool) {
    switch state(of: day) {
    case .done: (due(on: day).isDue || plan.timesPerPeriod != nil, true)
    case .open: (true, self[day].map { plan.isBad && $0.isMet } ?? false)
    case .missed, .planned: (true, false)
    case .satisfied: (true, true)
    case .notDue, .skipped, .paused, .outside, .unknown: (false, false)
    }
  }

  /// Calls `body` with the index and standing of each day of a range up to today, ascending: the same as `standing(on:)` of
  /// each, in time by the number of days.
  package func visitStandings(_ days: ClosedRange<CivilDay>, _ body: (Int, Standing) -> Void) {
    let range = indices(of: days).clamped(to: past)
    switch plan.schedule {
    case .daily, .weekdays, .everyDays:
      for index in range {
        let facts = facts[index]
        let counts = facts.isScheduled && !facts.isNeutral
        body(index, Standing(counts: counts, isMet: counts && facts.isMet))
      }
    case .perDays(let times, let days): visitIntervals(times, days, range, body)
    case .perWeek(let times), .perMonth(let times): visitPeriods(times, range, body)
    }
  }

  private func isMark(_ index: Int) -> Bool { facts[index].isMet && !facts[index].isNeutral }

  private func visitIntervals(_ times: Int, _ days: Int, _ range: Range<Int>, _ body: (Int, Standing) -> Void) {
    var marks = (max(0, range.lowerBound - days + 1)..<range.lowerBound).count(where: isMark)
    for index in range {
      let isMark = isMark(index)
      if facts[index].isNeutral {
        body(index, .none)
      } else {
        let hasEnough = plan.isBad ? marks >= times : facts[index].isCovered
        body(index, Standing(counts: true, isMet: isMark || hasEnough))
      }
      if isMark { marks += 1 }
      if index - days + 1 >= 0, self.isMark(index - days + 1) { marks -= 1 }
    }
  }

  private func visitPeriods(_ times: Int, _ range: Range<Int>, _ body: (Int, Standing) -> Void) {
    var index = range.lowerBound
    while index < range.upperBound, let period = plan.period(of: day(index), firstWeekday: firstWeekday) {
      let whole = indices(of: period)
      let needed = min(times, whole.count { !facts[$0].isNeutral })
      let total = plan.isBad ? 0 : whole.count(where: isMark)
      var before = plan.isBad ? (whole.lowerBound..<index).count(where: isMark) : 0
      while index < min(whole.upperBound, range.upperBound) {
        let isMark = isMark(index)
        if facts[index].isNeutral {
          body(index, .none)
        } else {
          body(index, Standing(counts: true, isMet: isMark || (plan.isBad ? before : total) >= needed))
        }
        if isMark { before += 1 }
        index += 1
      }
    }
  }
}
