import CivilTime
import DaybookProtocol
import Values

/// How a habit stands on a day.
extension HabitTimeline {
  /// How much a week, month or interval has.
  private struct Count {
    /// Days met in it before the day.
    let before: Int
    /// Days met in all of it, as far as it is known.
    let total: Int
    /// On how many days it is to be met.
    let needed: Int
    /// Whether all of it is past.
    let isOver: Bool
  }

  /// Whether something is to be done on a day, and why or why not.
  package func due(on day: CivilDay) -> (isDue: Bool, why: HabitDueReason) {
    if day < plan.start { return (false, .beforeStart) }
    if let end = plan.end, day > end { return (false, .afterEnd) }
    if let archived = plan.archivedDay, day >= archived { return (false, .archived) }
    if plan.rests(on: day) { return (false, .paused) }
    if self[day]?.isSkipped == true { return (false, .skipped) }
    switch plan.schedule {
    case .daily: return (true, .everyDay)
    case .weekdays: return plan.isScheduled(day) ? (true, .weekday) : (false, .otherWeekday)
    case .everyDays: return plan.isScheduled(day) ? (true, .interval) : (false, .betweenIntervals)
    case .perWeek, .perMonth, .perDays:
      guard let count = count(around: day) else { return (true, .periodOpen) }
      // Looking back, a day without anything had to bring nothing where the others were enough.
      let had = day < today && self[day]?.isMet != true ? count.total : count.before
      return had < count.needed ? (true, .periodOpen) : (false, .periodMet)
    }
  }

  /// How it stands on a day, whose facts have to be there unless the day is outside the habit.
  package func state(of day: CivilDay) -> HabitDayState {
    let (isDue, why) = due(on: day)
    switch why {
    case .beforeStart, .afterEnd: return .outside
    case .archived, .paused: return .paused
    case .skipped: return .skipped
    default: break
    }
    guard let facts = self[day] else { return isDue ? .planned : .notDue }
    if day > today, !(facts.hasValue && facts.isMet && !plan.isBad) { return planned(isDue, why) }
    if facts.isMet, !plan.isBad { return .done }
    if !isDue, plan.timesPerPeriod == nil { return .notDue }
    if facts.isMet { return day < today ? .done : isDue ? .open : .satisfied }
    return unmet(day, facts)
  }

  /// How it stands on a day up to today that is not met, although it is due, or its week, month or interval leaves open when it is.
  private func unmet(_ day: CivilDay, _ facts: Facts) -> HabitDayState {
    let isLost = day < today || plan.isBad
    switch plan.schedule {
    case .daily, .weekdays, .everyDays: return isLost ? .missed : .open
    case .perDays: return facts.isCovered ? .satisfied : isLost ? .missed : .open
    case .perWeek, .perMonth:
      guard let count = count(around: day) else { return .open }
      if count.total >= count.needed { return .satisfied }
      return count.isOver || plan.isBad ? .missed : .open
    }
  }

  private func planned(_ isDue: Bool, _ why: HabitDueReason) -> HabitDayState {
    isDue ? .planned : why == .periodMet ? .satisfied : .notDue
  }

  /// How much the period around a day has; nil for schedules of fixed days.
  private func count(around day: CivilDay) -> Count? {
    if case .perDays(let times, let days) = plan.schedule {
      let window = indices(of: day.advanced(by: 1 - days)...day)
      let own = index(of: day)
      let before = window.count { $0 != own && facts[$0].isMet && !facts[$0].isNeutral }
      return Count(before: before, total: before + (isCounted(own) ? 1 : 0), needed: times, isOver: day < today)
    }
    guard let times = plan.timesPerPeriod, let period = plan.period(of: day, firstWeekday: firstWeekday) else {
      return nil
    }
    let range = indices(of: period)
    let own = index(of: day) ?? .max
    let before = range.count { $0 < own && isCounted($0) }
    let isOver = isOver(period)
    return Count(
      before: before, total: range.count(where: isCounted),
      needed: isOver ? asked(times, range) : min(times, active(in: period)), isOver: isOver)
  }

  /// Whether all of a week or month is past, as far as the habit has it.
  func isOver(_ period: ClosedRange<CivilDay>) -> Bool {
    min(period.upperBound, plan.end ?? period.upperBound) < today
  }

  /// On how many days a week or month that is over had to be met, 0 where nothing was asked for: no more than there are that count,
  /// and of one that a pause cut, each day of the pause being one on which it might have been met.
  func asked(_ times: Int, _ period: Range<Int>) -> Int {
    let resting = period.count { facts[$0].isResting }
    return min(resting > 0 ? max(0, times - resting) : times, period.count { !facts[$0].isNeutral })
  }

  private func isCounted(_ index: Int?) -> Bool {
    guard let index else { return false }
    return facts[index].isMet && !facts[index].isNeutral && (plan.isBad ? day(index) <= today : true)
  }

  /// How many days of a range are within the habit and not neutral.
  package func active(in days: ClosedRange<CivilDay>) -> Int {
    let last = min(days.upperBound, plan.end ?? days.upperBound)
    guard max(days.lowerBound, plan.start) <= last else { return 0 }
    var count = 0
    for day in (max(days.lowerBound, plan.start)...last).days {
      if let facts = self[day] { count += facts.isNeutral ? 0 : 1 } else { count += plan.rests(on: day) ? 0 : 1 }
    }
    return count
  }

  /// How far a value goes, percent, truncated; of a `bad` habit what is left until the target.
  package func progress(_ value: Int64) -> Int {
    let share = Int(min(max(Int128(value) * 100 / Int128(plan.target), 0), 100))
    return plan.isBad ? 100 - share : share
  }

  /// A day as clients see it.
  ///
  /// - Parameter isAutomatic: Whether a day measure fills the habit.
  package func habitDay(_ id: EntityID, _ day: CivilDay, isAutomatic: Bool, notes: [String] = []) -> HabitDay {
    let facts = self[day]
    let value = facts?.value ?? 0
    let (isDue, why) = due(on: day)
    let count = count(around: day)
    let origin: HabitValueOrigin =
      facts?.hasValue != true ? .none : facts?.isMeasured == true ? .measured : isAutomatic ? .overridden : .logged
    return HabitDay(
      habitId: id, day: day, value: Thousandths.decimal(value), origin: origin,
      target: Thousandths.decimal(plan.target), progress: progress(value), completed: plan.isMet(by: value),
      state: state(of: day), due: isDue, why: why,
      periodDone: count.map { $0.before + (isCounted(index(of: day)) ? 1 : 0) },
      periodTarget: plan.timesPerPeriod, notes: notes.isEmpty ? nil : notes)
  }
}
