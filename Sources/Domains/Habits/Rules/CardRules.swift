import CivilTime
import DaybookProtocol

/// The contents of a card, computed from its window.
package struct CardRules: Sendable {
  private let plan: HabitPlan
  private let window: CardWindow
  /// The values by days before the last day; 0 without data.
  private let values: [Int64]
  /// The skipped days, which count neither way.
  private let skipped: [Bool]

  package init(_ plan: HabitPlan, _ window: CardWindow) {
    self.plan = plan
    self.window = window
    var values = [Int64](repeating: 0, count: CardWindow.length)
    var skipped = [Bool](repeating: false, count: CardWindow.length)
    for record in window.records {
      let back = Int(window.lastDay.daysSinceEpoch) - Int(record.day.daysSinceEpoch)
      guard values.indices.contains(back) else { continue }
      values[back] = record.value ?? 0
      skipped[back] = record.isSkipped
    }
    self.values = values
    self.skipped = skipped
  }

  /// The last 1, 7 or 30 days: their sum against the target of as many days.
  package func period(_ days: Int) -> CardPeriod {
    let days = min(max(days, 1), values.count)
    let counted = (0..<days).filter { !skipped[$0] }
    let sum = counted.reduce(0) { Thousandths.sum($0, values[$1]) }
    let target = plan.target * Int64(days)
    let share = min(max(Int128(sum) * 10_000 / Int128(target), 0), 10_000)
    return CardPeriod(
      from: window.lastDay.advanced(by: 1 - days), to: window.lastDay, value: Thousandths.decimal(sum),
      target: Thousandths.decimal(target), completed: plan.isBad ? sum < target : sum >= target,
      progress: Thousandths.fraction(plan.isBad ? 10_000 - Int64(share) : Int64(share), of: 10_000),
      successfulDays: counted.count { plan.isMet(by: values[$0]) }, days: days)
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
    let value = values[back]
    if skipped[back] { return CardCell(day: day, value: Thousandths.decimal(value), skipped: true) }
    return CardCell(
      day: day, value: Thousandths.decimal(value), met: plan.isMet(by: value), exceeded: value > plan.target,
      atTarget: value == plan.target)
  }
}
