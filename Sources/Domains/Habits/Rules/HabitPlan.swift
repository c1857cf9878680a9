import CivilTime
import DaybookProtocol
import Values

/// What the rules need of a habit: the same as `Habit`, in the form that is computed with.
package struct HabitPlan: Sendable, Equatable {
  /// When it is due.
  package enum Schedule: Sendable, Equatable {
    case daily
    /// On the days of the week whose bits are set, the lowest for Monday.
    case weekdays(UInt8)
    /// On any so many days of a week, 1…7.
    case perWeek(Int)
    /// On any so many days of a month, 1…31.
    case perMonth(Int)
    /// Every so many days, 1…400, from the start day on.
    case everyDays(Int)
    /// On so many days in any so many in a row.
    case perDays(times: Int, days: Int)
  }

  /// Whether it is met by staying below the target.
  package let isBad: Bool
  /// What a day is to reach, or to stay below, in thousandths; more than 0.
  package let target: Int64
  package let schedule: Schedule
  /// The first day that counts.
  package let start: CivilDay
  /// The last day that counts; nil when it goes on.
  package let end: CivilDay?
  /// The days on which it rests, ascending and apart.
  package let pauses: [ClosedRange<CivilDay>]
  /// The first day of its being archived; nil when it is not.
  package let archivedDay: CivilDay?

  package init(
    isBad: Bool = false, target: Int64 = Thousandths.one, schedule: Schedule = .daily, start: CivilDay,
    end: CivilDay? = nil, pauses: [ClosedRange<CivilDay>] = [], archivedDay: CivilDay? = nil
  ) {
    self.isBad = isBad
    self.target = max(target, 1)
    self.schedule = schedule
    self.start = start
    self.end = end
    self.pauses = pauses
    self.archivedDay = archivedDay
  }

  package init(_ habit: Habit) {
    self.init(
      isBad: habit.kind == .bad, target: Thousandths.value(habit.target), schedule: Schedule(habit.schedule),
      start: habit.startDay, end: habit.endDay,
      pauses: (habit.pauses ?? []).compactMap { pause in
        let last = pause.to ?? CivilDay.allowed.upperBound
        return pause.from <= last ? pause.from...last : nil
      }, archivedDay: habit.archivedDay)
  }

  /// Whether a value, in thousandths, meets the target.
  package func isMet(by value: Int64) -> Bool { isBad ? value < target : value >= target }

  /// Whether a day is neutral, as the habit rests on it.
  package func rests(on day: CivilDay) -> Bool {
    if let archivedDay, day >= archivedDay { return true }
    return pauses.contains { $0.contains(day) }
  }

  /// Whether a schedule of fixed days has this one; true of schedules by the period, which leave it open.
  package func isScheduled(_ day: CivilDay) -> Bool {
    switch schedule {
    case .weekdays(let days): return days >> UInt8(day.weekdayIndex) & 1 == 1
    case .everyDays(let interval):
      return (Int(day.daysSinceEpoch) - Int(start.daysSinceEpoch)) % max(interval, 1) == 0
    case .daily, .perWeek, .perMonth, .perDays: return true
    }
  }

  /// The week or month that a day's count is of; nil for schedules without periods of the calendar.
  package func period(of day: CivilDay, firstWeekday: Int) -> ClosedRange<CivilDay>? {
    switch schedule {
    case .perWeek: day.week(from: firstWeekday)
    case .perMonth: day.month
    case .daily, .weekdays, .everyDays, .perDays: nil
    }
  }

  /// On how many days of a period it is to be met; nil for schedules of fixed days.
  package var timesPerPeriod: Int? {
    switch schedule {
    case .perWeek(let times), .perMonth(let times), .perDays(let times, _): times
    case .daily, .weekdays, .everyDays: nil
    }
  }

  /// Repetitions a day, 0 to 1, as the strength takes them.
  package var frequency: (repetitions: Int, days: Int) {
    switch schedule {
    case .daily: (1, 1)
    case .weekdays(let days): (max(days.nonzeroBitCount, 1), 7)
    case .perWeek(let times): (times, 7)
    case .perMonth(let times): (times, 30)
    case .everyDays(let interval): (1, max(interval, 1))
    case .perDays(let times, let days): (times, max(days, 1))
    }
  }
}

extension HabitPlan.Schedule {
  /// The same as the protocol has it; a kind of a later version counts as daily.
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

/// Amounts in thousandths, the smallest that are logged.
package enum Thousandths {
  package static let one: Int64 = 1000
  /// The most that a sum can be, also of imported values.
  private static let most: Int64 = 1_000_000_000_000_000

  /// An amount of at most three digits after the point; more are rounded.
  package static func value(_ amount: Decimal) -> Int64 {
    guard let rounded = amount.rounded(toScale: 3) else { return amount.isNegative ? -most : most }
    return min(max(rounded.significand, -most), most)
  }

  /// A sum, which stays within its bounds.
  package static func sum(_ left: Int64, _ right: Int64) -> Int64 { min(max(left &+ right, -most), most) }

  /// The amount without needless zeros.
  package static func decimal(_ value: Int64) -> Decimal {
    (Decimal(significand: value, scale: 3) ?? .zero).normalized
  }

  /// A fraction of 0 to 1 in ten thousandths, truncated.
  package static func fraction(_ part: Int64, of whole: Int64) -> Decimal {
    guard whole > 0 else { return .zero }
    let share = min(max(Int128(part) * 10_000 / Int128(whole), 0), 10_000)
    return (Decimal(significand: Int64(share), scale: 4) ?? .zero).normalized
  }
}
