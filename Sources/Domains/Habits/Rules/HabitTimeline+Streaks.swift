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
    case met(ClosedRange<CivilDay>)
    case missed(CivilDay)
    /// It can still be met: a streak before it goes on.
    case running
    case neutral
  }

  package var streakUnit: StreakUnit {
    switch plan.schedule {
    case .perWeek: .weeks
    case .perMonth: .months
    case .daily, .weekdays, .everyDays, .perDays: .days
    }
  }

  /// The streaks of all time, up to today.
  package func streaks() -> Streaks {
    var all: [HabitStreak] = []
    var breaks: [CivilDay] = []
    var current: HabitStreak?
    var isRunning = false
    visitSteps { step in
      switch step {
      case .met(let days):
        current = HabitStreak(from: current?.from ?? days.lowerBound, to: days.upperBound, length: (current?.length ?? 0) + 1)
        isRunning = false
      case .missed(let day):
        if let current { all.append(current) }
        current = nil
        breaks.append(day)
      case .running: isRunning = true
      case .neutral: break
      }
    }
    if let current { all.append(current) }
    let longest = all.lazy.map(\.length).max() ?? 0
    return Streaks(
      summary: HabitStreaks(
        unit: streakUnit, current: current?.length ?? 0, currentFrom: current?.from,
        atRisk: isRunning && current != nil, longest: longest),
      all: all, breaks: breaks)
  }

  /// Calls `body` with every day, week or month up to today, oldest first.
  private func visitSteps(_ body: (Step) -> Void) {
    switch plan.schedule {
    case .perWeek(let times), .perMonth(let times): visitPeriods(times, body)
    case .perDays:
      for index in past {
        let facts = facts[index]
        let isToday = day(index) == today
        if facts.isCovered || facts.isMet && !facts.isNeutral {
          body(.met(day(index)...day(index)))
        } else if !facts.isNeutral {
          body(isToday ? .running : .missed(day(index)))
        }
      }
    case .daily, .weekdays, .everyDays:
      for index in past {
        let facts = facts[index]
        guard facts.isScheduled, !facts.isNeutral else { continue }
        if facts.isMet {
          body(.met(day(index)...day(index)))
        } else {
          body(day(index) == today && !plan.isBad ? .running : .missed(day(index)))
        }
      }
    }
  }

  private func visitPeriods(_ times: Int, _ body: (Step) -> Void) {
    guard let span, span.lowerBound <= today else { return }
    var day = span.lowerBound
    while day <= min(span.upperBound, today) {
      guard let period = plan.period(of: day, firstWeekday: firstWeekday) else { return }
      day = period.upperBound.advanced(by: 1)
      let known = period.clamped(to: span)
      let needed = min(times, active(in: period))
      guard needed > 0 else {
        body(.neutral)
        continue
      }
      let isOver = min(period.upperBound, plan.end ?? period.upperBound) < today
      let range = indices(of: known)
      // A `bad` habit's days ahead are met for nothing.
      let met = range.count { facts[$0].isMet && !facts[$0].isNeutral && self.day($0) <= today }
      if met >= needed {
        body(.met(known.lowerBound...min(known.upperBound, today)))
      } else {
        body(isOver ? .missed(known.upperBound) : .running)
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
    var next = max(length, 0) + 1
    while !contains(next) { next += 1 }
    return next
  }
}
