import DaybookProtocol

/// The state of a single day.
extension HabitTimeline {
  /// The progress of a week, month or interval.
  private struct Count {
    /// The days met before the day in question.
    let before: Int
    /// All days met so far.
    let total: Int
    /// The days to meet.
    let needed: Int
    /// Whether the period is past.
    let isOver: Bool
  }

  /// Whether the habit is due on a day, and the reason.
  package func due(on day: CivilDay) -> (isDue: Bool, why: HabitDueReason) {
    if day < plan.start { return (false, .beforeStart) }
    if let end = plan.end, day > end { return (false, .afterEnd) }
    if let archived = plan.archivedDay, day >= archived { return (false, .archived) }
    if plan.isInactive(on: day) { return (false, .paused) }
    if self[day]?.isSkipped == true { return (false, .skipped) }
    switch plan.schedule {
    case .daily: return (true, .everyDay)
    case .weekdays: return plan.isScheduled(day) ? (true, .weekday) : (false, .otherWeekday)
    case .everyDays: return plan.isScheduled(day) ? (true, .interval) : (false, .betweenIntervals)
    case .perWeek, .perMonth, .perDays:
      guard let count = count(around: day) else { return (true, .periodOpen) }
      // A past day without success was not due if the rest of the period sufficed.
      let had = day < today && self[day]?.isMet != true ? count.total : count.before
      return had < count.needed ? (true, .periodOpen) : (false, .periodMet)
    }
  }

  /// The state of a day, which must be in the span unless the habit does not cover it.
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

  /// The state of an unmet day up to today that is due or left open by its period.
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

  /// Whether a past day that was missed is the one to show the miss on: with a number of times a week or month the last
  /// day of the period that counts, with one in any so many days none, else the day itself.
  package func isMissLast(on day: CivilDay) -> Bool {
    guard day < today else { return false }
    switch plan.schedule {
    case .daily, .weekdays, .everyDays: return true
    case .perDays: return false
    case .perWeek, .perMonth:
      guard let period = plan.period(of: day, firstWeekday: firstWeekday) else { return false }
      return indices(of: period).last { !facts[$0].isNeutral } == index(of: day)
    }
  }

  private func planned(_ isDue: Bool, _ why: HabitDueReason) -> HabitDayState {
    isDue ? .planned : why == .periodMet ? .satisfied : .notDue
  }

  /// The progress of the period around a day; nil for schedules with fixed days.
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
      needed: isOver ? requiredDays(times, range) : min(times, active(in: period)), isOver: isOver)
  }

  /// Whether a week or month is past, as far as the habit covers it.
  func isOver(_ period: ClosedRange<CivilDay>) -> Bool {
    min(period.upperBound, plan.end ?? period.upperBound) < today
  }

  /// The days that a past week or month had to meet: no more than there were active days, and one less for each neutral
  /// day, as the habit might have been met on it. 0 when nothing was required.
  func requiredDays(_ times: Int, _ period: Range<Int>) -> Int {
    let resting = period.count { facts[$0].isNeutral }
    return min(resting > 0 ? max(0, times - resting) : times, period.count { !facts[$0].isNeutral })
  }

  private func isCounted(_ index: Int?) -> Bool {
    guard let index else { return false }
    return facts[index].isMet && !facts[index].isNeutral && (plan.isBad ? day(index) <= today : true)
  }

  /// The days of a range that the habit covers and that are not neutral.
  package func active(in days: ClosedRange<CivilDay>) -> Int {
    let last = min(days.upperBound, plan.end ?? days.upperBound)
    guard max(days.lowerBound, plan.start) <= last else { return 0 }
    var count = 0
    for day in (max(days.lowerBound, plan.start)...last).days {
      if let facts = self[day] { count += facts.isNeutral ? 0 : 1 } else { count += plan.isInactive(on: day) ? 0 : 1 }
    }
    return count
  }

  /// The progress of an amount in percent, truncated; for a `bad` habit what remains until the target.
  package func progress(_ amount: Int64) -> Int { Int(plan.progress(amount, whole: 100)) }

  /// A day in its wire form.
  ///
  /// - Parameters:
  ///   - record: What is recorded on the day, also on one before the start, which counts for nothing.
  ///   - isAutomatic: Whether a day measure fills the habit.
  package func habitDay(
    _ id: EntityID, _ day: CivilDay, _ record: HabitRecord?, isAutomatic: Bool, notes: [String] = []
  ) -> HabitDay {
    let value = record?.value ?? 0
    let amount = self[day]?.amount ?? value
    let (isDue, why) = due(on: day)
    let count = count(around: day)
    let origin: HabitValueOrigin =
      record?.value == nil ? .none : record?.isMeasured == true ? .measured : isAutomatic ? .overridden : .logged
    return HabitDay(
      habitId: id, day: day, value: Thousandths.decimal(value), origin: origin,
      sum: plan.targetDays > 1 ? Thousandths.decimal(amount) : nil,
      target: Thousandths.decimal(plan.target), progress: progress(amount), completed: plan.isMet(by: amount),
      state: state(of: day), due: isDue, why: why,
      periodDone: count.map { $0.before + (isCounted(index(of: day)) ? 1 : 0) },
      periodTarget: plan.timesPerPeriod, notes: notes.isEmpty ? nil : notes)
  }
}
