import CivilTime
import FileStoreTesting
import Foundation
import Pacing

@testable import Habits

/// A random habit, and a second, simple implementation of its streaks that follows the specification.
struct SlowHabit {
  let plan: HabitPlan
  let history: HabitHistory
  let today: CivilDay
  let firstWeekday: Int

  init(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    // Most of them include the leap day of 2024.
    let start = day("2023-12-20").advanced(by: source.below(70))
    let length = source.among(1...120)
    let schedule: HabitPlan.Schedule =
      switch source.below(6) {
      case 0: .daily
      case 1: .weekdays(UInt8(source.among(1...127)))
      case 2: .perWeek(source.among(1...7))
      case 3: .perMonth(source.among(1...31))
      case 4: .everyDays(source.among(1...9))
      default: .perDays(times: source.among(1...4), days: source.among(4...12))
      }
    var pauses: [ClosedRange<CivilDay>] = []
    if source.once(in: 3) {
      let from = start.advanced(by: source.below(length))
      pauses = [from...from.advanced(by: source.below(25))]
    }
    plan = HabitPlan(
      isBad: source.once(in: 4), target: 2000, isInclusive: source.once(in: 3),
      targetDays: schedule.isFixed && source.once(in: 3) ? source.among(2...9) : 1, schedule: schedule, start: start,
      end: source.once(in: 4) ? start.advanced(by: source.below(length + 20)) : nil, pauses: pauses,
      archivedDay: source.once(in: 6) ? start.advanced(by: source.below(length)) : nil)
    let density = source.among(1...19)
    var records: [HabitRecord] = []
    for number in -3..<length + source.below(10) where source.below(20) < density {
      let isSkipped = source.once(in: 12)
      records.append(
        HabitRecord(
          start.advanced(by: number), isSkipped && source.once(in: 2) ? nil : Int64(source.below(5)) * 1000,
          isSkipped: isSkipped))
    }
    history = HabitHistory(records)
    today = start.advanced(by: length - 1)
    firstWeekday = source.below(7)
  }

  var timeline: HabitTimeline { HabitTimeline(plan, history, today: today, firstWeekday: firstWeekday) }

  func isWithin(_ day: CivilDay) -> Bool { day >= plan.start && plan.end.map { day <= $0 } ?? true }

  func isNeutral(_ day: CivilDay) -> Bool {
    history.records.contains { $0.day == day && $0.isSkipped } || isPaused(day)
  }

  func isPaused(_ day: CivilDay) -> Bool {
    plan.pauses.contains { $0.contains(day) } || plan.archivedDay.map { day >= $0 } ?? false
  }

  /// Whether the sum of the latest days of the target that are not neutral meets it.
  func isMet(_ day: CivilDay) -> Bool {
    func value(_ day: CivilDay) -> Int64 { history.records.first { $0.day == day }?.value ?? 0 }
    let days =
      plan.targetDays == 1 ? [day] : Array((plan.start...day).days.filter { !isNeutral($0) }.suffix(plan.targetDays))
    let sum = days.reduce(0) { $0 + value($1) }
    return plan.isBad ? plan.isInclusive ? sum <= plan.target : sum < plan.target : sum >= plan.target
  }

  /// The last day of the habit that has begun.
  var days: [CivilDay] { (plan.start...max(plan.start, today)).days.filter { isWithin($0) && $0 <= today } }

  /// The days of a day's week or month that the habit covers.
  func period(of day: CivilDay) -> [CivilDay] {
    let isSame: (CivilDay) -> Bool
    switch plan.schedule {
    case .perMonth:
      isSame = { $0.components.year == day.components.year && $0.components.month == day.components.month }
    default:
      // 1970-01-05 was a Monday.
      func week(_ day: CivilDay) -> Int { (Int(day.daysSinceEpoch) - 4 - firstWeekday + 7_000_000) / 7 }
      isSame = { week($0) == week(day) }
    }
    return (day.advanced(by: -31)...day.advanced(by: 31)).days.filter { isSame($0) && isWithin($0) }
  }

  /// The result of each step: true for met, false for missed, nil for neither; with its last day.
  func steps() -> [(isMet: Bool?, last: CivilDay)] {
    switch plan.schedule {
    case .daily, .weekdays, .everyDays:
      return days.filter { isDue($0) && !isNeutral($0) }.map { day in
        (isMet(day) ? true : day == today && !plan.isBad ? nil : false, day)
      }
    case .perDays(let times, let length):
      let marks = days.filter { isMet($0) && !isNeutral($0) }.map { Int($0.daysSinceEpoch) }
      let covered = LoopReading.covered(times: times, days: length, marks: marks)
      return days.filter { !isNeutral($0) }.map { day in
        (isMet(day) || covered.contains(Int(day.daysSinceEpoch)) ? true : day == today ? nil : false, day)
      }
    case .perWeek(let times), .perMonth(let times):
      var seen: Set<CivilDay> = []
      return days.compactMap { day in
        let period = period(of: day)
        guard let first = period.first, let last = period.last, seen.insert(first).inserted else { return nil }
        let needed = min(times, period.filter { !isNeutral($0) }.count)
        if needed == 0 { return nil }
        if period.filter({ $0 <= today && isMet($0) && !isNeutral($0) }).count >= needed { return (true, last) }
        guard last < today else { return (nil, last) }
        // A neutral day breaks nothing: would the week be met if each of them were?
        let neutral = period.filter(isNeutral).count
        let met = period.filter { isMet($0) && !isNeutral($0) }.count
        guard neutral > 0, met + neutral >= times else { return (false, last) }
        return neutral >= times ? nil : (true, last)
      }
    }
  }

  func isDue(_ day: CivilDay) -> Bool {
    switch plan.schedule {
    case .weekdays(let bits): bits & 1 << UInt8((Int(day.daysSinceEpoch) + 7_000_003) % 7) != 0
    case .everyDays(let interval): (plan.start...day).dayCount % interval == 1 % interval
    case .daily, .perWeek, .perMonth, .perDays: true
    }
  }

  /// The current streak, the longest, and the days that broke one.
  func streaks() -> (current: Int, longest: Int, breaks: [CivilDay]) {
    var (current, longest, breaks) = (0, 0, [CivilDay]())
    for (isMet, last) in steps() {
      switch isMet {
      case true?: current += 1
      case false?: (current, breaks) = (0, breaks + [last])
      case nil: break
      }
      longest = max(longest, current)
    }
    return (current, longest, breaks)
  }
}

extension HabitPlan.Schedule {
  /// Whether its days are fixed, so that a target may be for several days.
  var isFixed: Bool {
    switch self {
    case .daily, .weekdays, .everyDays: true
    case .perWeek, .perMonth, .perDays: false
    }
  }
}

/// A second implementation of Loop Habit Tracker's formulas, following their definition.
enum LoopReading {
  /// The covered days by number. Each interval begins with the first of `times` successes within `days`. From the last
  /// one back, each interval that overlaps the next is moved back until it does not, but still contains its last
  /// success.
  static func covered(times: Int, days: Int, marks: [Int]) -> Set<Int> {
    var covered: Set<Int> = []
    var next: Int?
    for number in marks.indices.reversed() where number + 1 >= times {
      let (first, last) = (marks[number + 1 - times], marks[number])
      guard last - first < days else { continue }
      var begin = first
      while let next, begin + days - 1 >= next, begin + days - 1 > last { begin -= 1 }
      for day in begin..<begin + days { covered.insert(day) }
      next = begin
    }
    return covered
  }

  /// The scores of a yes-or-no habit: nil for a skipped day, which unlike in Loop is no part of the window.
  static func scores(times: Int, days: Int, marks: [Bool?]) -> [Double] {
    let (times, days) = times == days ? (1, 1) : (times, days)
    let (most, length) = times < days ? (2 * times, 2 * days) : (times, days)
    return smooth(
      times: times, days: days, from: 0,
      marks.indices.map { index in
        guard marks[index] != nil else { return nil }
        let count = marks[...index].compactMap { $0 }.suffix(length).filter { $0 }.count
        return min(1, Double(count) / Double(most))
      })
  }

  /// Each day's score weights all earlier days by their age.
  static func smooth(times: Int, days: Int, from first: Double, _ parts: [Double?]) -> [Double] {
    let halfLife = 13 / (Double(times) / Double(days)).squareRoot()
    func kept(_ days: Int) -> Double { exp2(-Double(days) / halfLife) }
    return parts.indices.map { index in
      let known = parts[...index].compactMap { $0 }
      return known.enumerated().reduce(first * kept(known.count)) { sum, part in
        sum + part.element * (kept(known.count - 1 - part.offset) - kept(known.count - part.offset))
      }
    }
  }
}

extension SlowHabit {
  /// The number of random habits per test.
  static let perBatch = Histories.steps(100)
}
