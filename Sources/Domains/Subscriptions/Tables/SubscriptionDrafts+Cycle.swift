import DaybookProtocol
import Subscriptions
import Tables
import Values

extension SubscriptionDrafts {
  /// How often it is charged, with what a column says of days, weekends and an end.
  func cycle(_ reader: inout RowReader) -> BillingCycle? {
    let plain = isOurs ? plainCycle(&reader) : foreignCycle(&reader)
    guard let plain, let rule = reader.raw("rule") else { return plain }
    guard plain.isRecurring else {
      reader.refuse(.contradiction, "rule", "it is charged once", allowed: "nothing")
      return nil
    }
    guard let cycle = CycleRuleText.cycle(plain, rule) else {
      reader.refuse(.malformed, "rule", "it is no rule of a cycle", allowed: CycleRuleText.allowed)
      return nil
    }
    return cycle
  }

  /// How often it is charged, by the two columns of our own table.
  private func plainCycle(_ reader: inout RowReader) -> BillingCycle? {
    let allowed = "day, week, month, year, once, lifetime"
    guard let unit = reader.raw("unit") else {
      reader.refuse(.missing, "unit", "it is empty", allowed: allowed)
      return nil
    }
    guard let cycle = BillingCycle.all.first(where: { $0.unitName == unit.lowercased() }) else {
      reader.refuse(.unknownValue, "unit", "it is no unit of time", allowed: allowed)
      return nil
    }
    guard reader.raw("every") != nil else { return cycle }
    guard cycle.isRecurring else {
      reader.refuse(.contradiction, "every", "it is charged once", allowed: "nothing, beside “\(unit)”")
      return nil
    }
    return every(&reader).flatMap { cycle.times($0) }
  }

  /// How many units.
  private func every(_ reader: inout RowReader) -> Int? {
    reader.number("every", in: Decimal(1)...Decimal(1000), allowed: "a whole number from 1 to 1000") { number in
      number.normalized.scale == 0 ? number : nil
    }?.units(ofScale: 0).map { Int($0) }
  }

  /// How often it is charged, as other programs write it.
  private func foreignCycle(_ reader: inout RowReader) -> BillingCycle? {
    let allowed = "such as weekly, monthly, every 3 months, yearly, once, lifetime"
    guard let text = reader.raw("cycle") else {
      // Where no column speaks of it, it is what most are.
      if mapping.columns["cycle"] == nil, mapping.columns["every"] == nil { return .monthly }
      reader.refuse(.missing, "cycle", "it is empty", allowed: allowed)
      return nil
    }
    guard let cycle = CycleText.cycle(text) else {
      reader.refuse(.unknownValue, "cycle", "it is no cycle", allowed: allowed)
      return nil
    }
    guard reader.raw("every") != nil, cycle.isRecurring else { return cycle }
    guard let count = every(&reader) else { return nil }
    guard let times = cycle.times(count) else {
      reader.refuse(.outOfRange, "every", "it is out of range", allowed: "a whole number from 1 to 1000")
      return nil
    }
    return times
  }
}

extension BillingCycle {
  /// One of each unit.
  fileprivate static let all: [BillingCycle] = CycleUnit.known.map { .every(1, $0) } + [.once, .lifetime]
}
