import DaybookProtocol

/// The parts of a habit that the rules compute with.
package struct HabitPlan: Sendable, Equatable {
  package enum Schedule: Sendable, Equatable {
    case daily
    /// On a set of weekdays; bit 0 is Monday.
    case weekdays(UInt8)
    /// On any 1…7 days of a week.
    case perWeek(Int)
    /// On any 1…31 days of a month.
    case perMonth(Int)
    /// Every 1…400 days, counted from the start day.
    case everyDays(Int)
    /// On `times` days of any `days` consecutive days.
    case perDays(times: Int, days: Int)
  }

  /// Whether the value must stay below the target.
  package var isBad = false
  /// The value to reach, or to stay below, in thousandths; positive, or 0 for a limit that is inclusive.
  package var target = Thousandths.one
  /// For a `bad` habit: whether the target itself still meets it.
  package var isInclusive = false
  /// The number of days whose sum is judged against the target, 1 to 400; that sum rolls with the day.
  package var targetDays = 1
  package var schedule = Schedule.daily
  /// The first day that counts.
  package let start: CivilDay
  /// The last day that counts; nil for none.
  package var end: CivilDay?
  /// The paused days, ascending and disjoint.
  package var pauses: [ClosedRange<CivilDay>] = []
  /// The day it was archived; nil for active habits.
  package var archivedDay: CivilDay?

  /// Whether an amount in thousandths meets the target, or a multiple of it.
  package func isMet(by amount: Int64, of target: Int64? = nil) -> Bool {
    let target = target ?? self.target
    return isBad ? amount < target || isInclusive && amount == target : amount >= target
  }

  /// The share of the target that an amount is, in parts of `whole`, truncated; for a `bad` habit what remains of it.
  package func progress(_ amount: Int64, of target: Int64? = nil, whole: Int64) -> Int64 {
    let target = target ?? self.target
    let share = target > 0 ? Int128(amount) * Int128(whole) / Int128(target) : amount > 0 ? Int128(whole) : 0
    let clamped = Int64(min(max(share, 0), Int128(whole)))
    return isBad ? whole - clamped : clamped
  }

  /// The target of a number of days that end with any day; at least a thousandth unless it is 0.
  package func target(of days: Int) -> Int64 {
    guard target > 0 else { return 0 }
    return Int64(max(1, (Int128(target) * Int128(days) + Int128(targetDays / 2)) / Int128(targetDays)))
  }

  /// The largest amount that meets a `bad` habit as its strength counts it: one unit below an exclusive target.
  package var limit: Int64 { isInclusive ? target : target - Thousandths.one }

  /// Whether the habit is paused or archived on a day, which makes the day neutral.
  package func isInactive(on day: CivilDay) -> Bool {
    if let archivedDay, day >= archivedDay { return true }
    return pauses.contains { $0.contains(day) }
  }

  /// Whether the schedule includes a day; always true for schedules that count per period.
  package func isScheduled(_ day: CivilDay) -> Bool {
    switch schedule {
    case .weekdays(let days): return days >> UInt8(day.weekdayIndex) & 1 == 1
    case .everyDays(let interval):
      return (Int(day.daysSinceEpoch) - Int(start.daysSinceEpoch)) % max(interval, 1) == 0
    case .daily, .perWeek, .perMonth, .perDays: return true
    }
  }

  /// The week or month that counts a day; nil for other schedules.
  package func period(of day: CivilDay, firstWeekday: Int) -> ClosedRange<CivilDay>? {
    switch schedule {
    case .perWeek: day.week(from: firstWeekday)
    case .perMonth: day.month
    case .daily, .weekdays, .everyDays, .perDays: nil
    }
  }

  /// The days to meet in each period; nil for schedules with fixed days.
  package var timesPerPeriod: Int? {
    switch schedule {
    case .perWeek(let times), .perMonth(let times), .perDays(let times, _): times
    case .daily, .weekdays, .everyDays: nil
    }
  }

  /// The repetitions per day, 0 to 1, as used by the strength score.
  package var frequency: (repetitions: Int, days: Int) {
    if targetDays > 1 { return (1, targetDays) }
    return switch schedule {
    case .daily: (1, 1)
    case .weekdays(let days): (max(days.nonzeroBitCount, 1), 7)
    case .perWeek(let times): (times, 7)
    case .perMonth(let times): (times, 30)
    case .everyDays(let interval): (1, max(interval, 1))
    case .perDays(let times, let days): (times, max(days, 1))
    }
  }
}

extension HabitPlan {
  package init(_ habit: Habit) {
    self.init(
      isBad: habit.kind == .bad, target: max(Thousandths.value(habit.target), habit.inclusive == true ? 0 : 1),
      isInclusive: habit.kind == .bad && habit.inclusive == true, targetDays: max(habit.targetDays ?? 1, 1),
      schedule: Schedule(habit.schedule), start: habit.startDay, end: habit.endDay,
      pauses: (habit.pauses ?? []).compactMap { pause in
        let last = pause.to ?? CivilDay.allowed.upperBound
        return pause.from <= last ? pause.from...last : nil
      }, archivedDay: habit.archivedDay)
  }
}

extension HabitPlan.Schedule {
  /// Converts a schedule; unknown kinds count as daily.
  package init(_ schedule: HabitSchedule) {
    switch schedule.kind {
    case .weekdays:
      self = .weekdays(
        (schedule.weekdays ?? []).reduce(0) { $0 | 1 << UInt8(Weekday.known.firstIndex(of: $1) ?? 0) })
    case .perWeek: self = .perWeek(schedule.times ?? 1)
    case .perMonth: self = .perMonth(schedule.times ?? 1)
    case .everyDays: self = .everyDays(schedule.days ?? 1)
    case .perDays: self = .perDays(times: schedule.times ?? 1, days: schedule.days ?? 1)
    case .daily, .unknown: self = .daily
    }
  }
}

/// Amounts in thousandths, the resolution of logs.
package enum Thousandths {
  package static let one: Int64 = 1000
  /// The bound of sums, which imported values could exceed.
  private static let most: Int64 = 1_000_000_000_000_000

  /// Rounds an amount to thousandths.
  package static func value(_ amount: Decimal) -> Int64 {
    guard let rounded = amount.rounded(toScale: 3) else { return amount.isNegative ? -most : most }
    return min(max(rounded.significand, -most), most)
  }

  /// The sum, clamped to the bound.
  package static func sum(_ left: Int64, _ right: Int64) -> Int64 { min(max(left &+ right, -most), most) }

  /// The amount as a normalized decimal.
  package static func decimal(_ value: Int64) -> Decimal {
    (Decimal(significand: value, scale: 3) ?? .zero).normalized
  }
}
