import CivilTime
import DaybookProtocol

/// Streaks: times in a row that a habit was met. What is neutral neither breaks nor extends one.
extension HabitTimeline {
  /// All streaks, and where they stand.
  package struct Streaks: Sendable, Equatable {
    package var summary: HabitStreaks
    /// Oldest first.
    package var all: [HabitStreak]
    /// The days that broke one or kept one from beginning, ascending; of a week or month its last day.
    package var breaks: [CivilDay]
  }

  /// What a step of a streak comes to.
  private enum Step {
    case met
    case missed
    /// It is not over: a streak before it goes on, and is at risk while there is a day left to do something on.
    case running(hasDaysLeft: Bool)
    case neutral
  }

  /// What a streak of the habit counts.
  package var streakUnit: StreakUnit {
    switch plan.schedule {
    case .perWeek: .weeks
    case .perMonth: .months
    case .daily, .weekdays, .everyDays, .perDays: .days
    }
  }

  /// The streaks of all time, up to today. Takes time by the number of days.
  package func streaks() -> Streaks {
    var walk = Walk()
    switch plan.schedule {
    case .perWeek(let times), .perMonth(let times): walkPeriods(times, &walk)
    case .daily, .weekdays, .everyDays, .perDays:
      for index in past { walk.take(step(index), index..<index + 1) }
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

  /// Streaks as they are found, by the indices of days.
  private struct Walk {
    private(set) var all: [(days: Range<Int>, length: Int)] = []
    private(set) var breaks: [Int] = []
    private(set) var isAtRisk = false
    /// Whether the last of the streaks was broken.
    private(set) var isBroken = false
    private var days = 0..<0
    private var length = 0

    mutating func take(_ step: Step, _ range: Range<Int>) {
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

    /// Puts the streak that is being counted to the others.
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
    // What follows can still cover a day of `perDays`; else a `bad` habit cannot be met any more.
    if case .perDays = plan.schedule { return .running(hasDaysLeft: !plan.isBad) }
    return plan.isBad ? .missed : .running(hasDaysLeft: true)
  }

  /// Walks over all weeks or months up to that of today.
  private func walkPeriods(_ times: Int, _ walk: inout Walk) {
    let past = past
    var index = past.lowerBound
    while index < past.upperBound, let period = plan.period(of: day(index), firstWeekday: firstWeekday) {
      let range = indices(of: period)
      let known = range.clamped(to: past)
      index = max(range.upperBound, index + 1)
      let needed = min(times, range.count { !facts[$0].isNeutral })
      let met = known.count { facts[$0].isMet && !facts[$0].isNeutral }
      // A `bad` habit's days ahead are met for nothing.
      if needed == 0 {
        walk.take(.neutral, known)
      } else if met >= needed {
        walk.take(.met, known)
      } else if isOver(period) {
        let asked = asked(times, range)
        walk.take(asked == 0 ? .neutral : met >= asked ? .met : .missed, range)
      } else {
        let left = Int(today.daysSinceEpoch) - Int(day(0).daysSinceEpoch)
        let hasDaysLeft = !plan.isBad && range.contains { $0 >= left && !facts[$0].isNeutral && !facts[$0].isMet }
        walk.take(.running(hasDaysLeft: hasDaysLeft), known)
      }
    }
  }
}

/// The lengths of streaks that are announced.
package enum Milestones {
  private static let first = [3, 7, 14, 21, 30, 50, 75]

  /// Whether a length is one: 3, 7, 14, 21, 30, 50, 75, 100, then every hundred and every 365.
  package static func contains(_ length: Int) -> Bool {
    length > 0 && (first.contains(length) || length % 100 == 0 || length % 365 == 0)
  }

  /// The greatest one that is reached when a streak grows from one length to another.
  package static func reached(from before: Int, to after: Int) -> Int? {
    var length = after
    while length > max(before, 0) {
      if contains(length) { return length }
      length -= 1
    }
    return nil
  }

  /// The least one above a length.
  package static func next(after length: Int) -> Int {
    let length = min(max(length, 0), Int(Int32.max))
    let others = [(length / 100 + 1) * 100, (length / 365 + 1) * 365]
    return (first.filter { $0 > length } + others).min() ?? length + 1
  }
}
