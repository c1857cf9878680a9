import DaybookProtocol

/// The contents of a card, computed from its window.
package struct CardRules: Sendable {
  private let plan: HabitPlan
  private let window: CardWindow
  /// The days of the window, by days before the last one.
  private let days: [Day]

  private struct Day {
    /// Its value; 0 without data.
    var value: Int64 = 0
    /// The amount that is judged: the value, or the sum of the days of the target.
    var amount: Int64 = 0
    var isSkipped = false
    /// Whether the habit is paused or archived.
    var isInactive = false

    var isNeutral: Bool { isSkipped || isInactive }
  }

  /// - Parameter timeline: The timeline of the habit at least to the last day of the window.
  package init(_ plan: HabitPlan, _ window: CardWindow, _ timeline: HabitTimeline) {
    self.plan = plan
    self.window = window
    var days = [Day](repeating: Day(), count: CardWindow.length)
    for record in window.records {
      let back = Int(window.lastDay.daysSinceEpoch) - Int(record.day.daysSinceEpoch)
      guard days.indices.contains(back) else { continue }
      (days[back].value, days[back].isSkipped) = (record.value ?? 0, record.isSkipped)
    }
    for back in days.indices {
      let day = window.lastDay.advanced(by: -back)
      days[back].amount = timeline[day]?.amount ?? days[back].value
      days[back].isInactive = plan.isInactive(on: day)
    }
    self.days = days
  }

  /// The last 1, 7 or 30 days: their sum against the target of as many days.
  package func period(_ count: Int) -> CardPeriod {
    let count = min(max(count, 1), days.count)
    let counted = days.prefix(count).filter { !$0.isNeutral }
    let sum = counted.reduce(0) { Thousandths.sum($0, $1.value) }
    let target = plan.target(of: count)
    // A target for more days cannot be judged by these alone.
    let (amount, whole) = plan.targetDays > count ? (days[0].amount, plan.target) : (sum, target)
    return CardPeriod(
      from: window.lastDay.advanced(by: 1 - count), to: window.lastDay, value: Thousandths.decimal(sum),
      target: Thousandths.decimal(target), completed: plan.isMet(by: amount, of: whole),
      progress: (Decimal(significand: plan.progress(amount, of: whole, whole: 10_000), scale: 4) ?? .zero).normalized,
      successfulDays: counted.count { plan.isMet(by: $0.amount) }, days: count)
  }

  /// The seven days that end with the last day, ascending.
  package var week: [CardCell] { (0..<7).map { cell(window.lastDay.advanced(by: $0 - 6)) } }

  /// The monthly grid in rows of weeks; the last row contains the last day. Cells outside the window are blank.
  ///
  /// - Parameter fits: Whether to add a sixth row when five would cut off days of the window.
  package func grid(firstWeekday: Int, fits: Bool) -> [CardCell] {
    let last = window.lastDay.week(from: firstWeekday).upperBound
    let five = last.advanced(by: -34)
    let first = fits && window.firstDay < five ? last.advanced(by: -41) : five
    return (first...last).days.map(cell)
  }

  private func cell(_ day: CivilDay) -> CardCell {
    guard day >= window.firstDay, day <= window.lastDay else { return CardCell(day: day) }
    let back = Int(window.lastDay.daysSinceEpoch) - Int(day.daysSinceEpoch)
    let known = days[back]
    let value = Thousandths.decimal(known.value)
    guard !known.isNeutral else {
      return CardCell(
        day: day, value: value, skipped: known.isSkipped ? true : nil, paused: known.isInactive ? true : nil)
    }
    return CardCell(
      day: day, value: value, met: plan.isMet(by: known.amount), exceeded: known.amount > plan.target,
      atTarget: known.amount == plan.target)
  }
}

/// The days of a card: at most 30 values, ascending, always including the last day. Days without data are gaps; on the
/// last day the missing value is a transient zero.
package struct CardWindow: Equatable, Sendable {
  /// The number of days, including the last.
  package static let length = 30

  /// The allowed last days: those whose whole grid is within the calendar.
  package static let lastDays =
    CivilDay.allowed.lowerBound.advanced(by: 47)...CivilDay.allowed.upperBound.advanced(by: -6)

  package private(set) var lastDay: CivilDay
  /// The days with data, ascending, without the transient zero.
  package private(set) var records: [HabitRecord]

  /// Opens a window. `fetch` returns the records of a range of days, ascending.
  package init(
    lastDay: CivilDay, fetch: (ClosedRange<CivilDay>) -> ArraySlice<HabitRecord>
  ) {
    self.lastDay = lastDay
    records = Array(fetch(lastDay.advanced(by: 1 - CardWindow.length)...lastDay))
  }

  package var firstDay: CivilDay { lastDay.advanced(by: 1 - CardWindow.length) }

  /// Moves the window. Fetches only the days that enter, or the whole window when none remain.
  package mutating func shift(by days: Int, fetch: (ClosedRange<CivilDay>) -> ArraySlice<HabitRecord>) {
    guard days != 0 else { return }
    let target = lastDay.advanced(by: days)
    guard abs(days) < CardWindow.length else {
      self = CardWindow(lastDay: target, fetch: fetch)
      return
    }
    if days > 0 {
      let entering = fetch(lastDay.advanced(by: 1)...target)
      lastDay = target
      let first = firstDay
      records = records.filter { $0.day >= first } + entering
    } else {
      let oldFirst = firstDay
      lastDay = target
      records = fetch(firstDay...oldFirst.advanced(by: -1)) + records.filter { $0.day <= target }
    }
  }

  /// The record of a day in the window.
  package subscript(day: CivilDay) -> HabitRecord? { records.first { $0.day == day } }

  /// All values shown, ascending; the last one is for the last day.
  package var shown: [HabitRecord] {
    records.last?.day == lastDay ? records : records + [HabitRecord(lastDay, nil)]
  }

  /// Whether it has at most 30 values, none before the first day.
  package var isWithinThirty: Bool { shown.count <= CardWindow.length && records.allSatisfy { $0.day >= firstDay } }

  /// Whether its days are strictly ascending.
  package var isAscending: Bool { zip(shown, shown.dropFirst()).allSatisfy { $0.day < $1.day } }

  /// Whether the last value is for the last day, and none is after it.
  package var endsWithLastDay: Bool { shown.last?.day == lastDay && shown.allSatisfy { $0.day <= lastDay } }
}
