import DaybookProtocol

/// Streaks of successful days, weeks or months. Neutral days neither break nor extend one.
extension HabitTimeline {
  package struct Streaks: Sendable, Equatable {
    package var summary: HabitStreaks
    /// Oldest first.
    package var all: [HabitStreak]
    /// The days that broke a streak or prevented one, ascending; for a week or month its last day.
    package var breaks: [CivilDay]
  }

  /// The result of one day, week or month.
  private enum Step {
    case met
    case missed
    /// Still undecided: it keeps the streak, which is at risk while days to act on remain.
    case running(hasDaysLeft: Bool)
    case neutral
  }

  /// The unit that streaks of the habit count.
  package var streakUnit: StreakUnit {
    switch plan.schedule {
    case .perWeek: .weeks
    case .perMonth: .months
    case .daily, .weekdays, .everyDays, .perDays: .days
    }
  }

  /// All streaks up to today. O(days).
  package func streaks() -> Streaks {
    var walk = Walk()
    switch plan.schedule {
    case .perWeek(let times), .perMonth(let times): walkPeriods(times, &walk)
    case .daily, .weekdays, .everyDays, .perDays:
      for index in past { walk.add(step(index), index..<index + 1) }
    }
    walk.close()
    let current = walk.isBroken ? nil : walk.all.last
    return Streaks(
      summary: HabitStreaks(
        unit: streakUnit, current: current?.length ?? 0, currentFrom: current.map { day($0.days.lowerBound) },
        atRisk: walk.isAtRisk && current != nil, longest: walk.all.lazy.map(\.length).max() ?? 0),
      all: walk.all.map {
        HabitStreak(from: day($0.days.lowerBound), to: day($0.days.upperBound - 1), length: $0.length)
      }, breaks: walk.breaks.map(day))
  }

  /// Collects streaks as ranges of day indices.
  private struct Walk {
    private(set) var all: [(days: Range<Int>, length: Int)] = []
    private(set) var breaks: [Int] = []
    private(set) var isAtRisk = false
    /// Whether the last streak is broken.
    private(set) var isBroken = false
    private var days = 0..<0
    private var length = 0

    mutating func add(_ step: Step, _ range: Range<Int>) {
      switch step {
      case .met:
        days = (length == 0 ? range.lowerBound : days.lowerBound)..<range.upperBound
        length += 1
      case .missed:
        close()
        isBroken = true
        breaks.append(range.upperBound - 1)
      case .running(let hasDaysLeft): isAtRisk = hasDaysLeft
      case .neutral: break
      }
    }

    /// Ends the current streak.
    mutating func close() {
      guard length > 0 else { return }
      all.append((days, length))
      length = 0
      isBroken = false
    }
  }

  private func step(_ index: Int) -> Step {
    let facts = facts[index]
    guard facts.isScheduled, !facts.isNeutral else { return .neutral }
    if facts.isMet || facts.isCovered { return .met }
    guard day(index) == today else { return .missed }
    // Later days can still cover a day of `perDays`; otherwise a `bad` habit is lost once unmet.
    if case .perDays = plan.schedule { return .running(hasDaysLeft: !plan.isBad) }
    return plan.isBad ? .missed : .running(hasDaysLeft: true)
  }

  /// Visits all weeks or months up to the current one.
  private func walkPeriods(_ times: Int, _ walk: inout Walk) {
    let past = past
    var index = past.lowerBound
    while index < past.upperBound, let period = plan.period(of: day(index), firstWeekday: firstWeekday) {
      let range = indices(of: period)
      let known = range.clamped(to: past)
      index = max(range.upperBound, index + 1)
      let needed = min(times, range.count { !facts[$0].isNeutral })
      let met = known.count { facts[$0].isMet && !facts[$0].isNeutral }
      // Days of a `bad` habit after today do not count as met yet.
      if needed == 0 {
        walk.add(.neutral, known)
      } else if met >= needed {
        walk.add(.met, known)
      } else if isOver(period) {
        let required = requiredDays(times, range)
        walk.add(required == 0 ? .neutral : met >= required ? .met : .missed, range)
      } else {
        let left = Int(today.daysSinceEpoch) - Int(day(0).daysSinceEpoch)
        let hasDaysLeft = !plan.isBad && range.contains { $0 >= left && !facts[$0].isNeutral && !facts[$0].isMet }
        walk.add(.running(hasDaysLeft: hasDaysLeft), known)
      }
    }
  }
}

/// The streak lengths that are announced.
package enum Milestones {
  private static let first = [3, 7, 14, 21, 30, 50, 75]

  /// Whether a length is a milestone: 3, 7, 14, 21, 30, 50, 75, every multiple of 100 and of 365.
  package static func contains(_ length: Int) -> Bool {
    length > 0 && (first.contains(length) || length % 100 == 0 || length % 365 == 0)
  }

  /// The greatest milestone passed when a streak grows.
  package static func reached(from before: Int, to after: Int) -> Int? {
    var length = after
    while length > max(before, 0) {
      if contains(length) { return length }
      length -= 1
    }
    return nil
  }

  /// The next milestone.
  package static func next(after length: Int) -> Int {
    let length = min(max(length, 0), Int(Int32.max))
    let others = [(length / 100 + 1) * 100, (length / 365 + 1) * 365]
    return (first.filter { $0 > length } + others).min() ?? length + 1
  }
}
