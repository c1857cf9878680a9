import DaybookProtocol
import Subscriptions
import Tables

/// Cycles as programs and people write them: `Monthly`, `every 2 weeks`, `annual`, `6 months`, `one-off`.
package enum CycleText {
  /// The cycle that a text says; nil when it says none. `bimonthly` says two.
  package static func cycle(_ text: String) -> BillingCycle? {
    let key = TableHeader.key(text)
    if let known = words[key] { return known }
    guard key.first != "-" else { return nil }
    var parts = key.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    if parts.count > 1, let joined = words[parts.joined()] { return joined }
    while let first = parts.first, parts.count > 1, fillers.contains(first) { parts.removeFirst() }
    var count = 1
    if parts.count > 1, let first = parts.first {
      guard let number = number(first) else { return nil }
      count = number
      parts.removeFirst()
    } else if let only = parts.first, let end = only.firstIndex(where: { !$0.isNumber }), end > only.startIndex {
      // `3m`, `6months`
      guard let number = number(String(only[..<end])) else { return nil }
      count = number
      parts = [String(only[end...])]
    }
    guard parts.count == 1, let unit = units[parts[0]] ?? nil else {
      return parts.count == 1 && count == 1 ? words[parts[0]] : nil
    }
    return unit.times(count)
  }

  private static func number(_ text: String) -> Int? {
    if let number = Int(text) { return number }
    return numbers.firstIndex(of: text).map { $0 + 1 } ?? (text == "other" || text == "second" ? 2 : nil)
  }

  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  private static let fillers: Set = ["every", "each", "per", "once", "a", "an", "billed", "renews", "paid", "repeats"]

  private static let units: [String: BillingCycle] = {
    var units: [String: BillingCycle] = [:]
    for (cycle, names) in [
      (BillingCycle.every(1, .day), "day days d tag tage tagen"),
      (.weekly, "week weeks wk wks w woche wochen"),
      (.monthly, "month months mo mos mth mths m monat monate monaten"),
      (.quarterly, "quarter quarters quartal quartale"),
      (.yearly, "year years yr yrs y annum jahr jahre jahren"),
    ] {
      for name in names.split(separator: " ") { units[String(name)] = cycle }
    }
    return units
  }()

  private static let words: [String: BillingCycle] = {
    var words: [String: BillingCycle] = [:]
    for (cycle, names) in [
      (BillingCycle.every(1, .day), "daily täglich"), (.weekly, "weekly wöchentlich hebdomadaire semanal"),
      (.every(2, .week), "fortnightly fortnight biweekly"), (.every(4, .week), "fourweekly"),
      (.monthly, "monthly monatlich mensuel mensual"), (.every(2, .month), "zweimonatlich"),
      (.quarterly, "quarterly trimonthly vierteljährlich quartalsweise trimestriel trimestral"),
      (.every(6, .month), "semiannual semiannually halfyearly halfyear biannual biannually halbjährlich"),
      (.yearly, "yearly annual annually jährlich annuel anual pa"), (.every(2, .year), "biennial biennially"),
      (.every(3, .year), "triennial triennially"),
      (.once, "once oneoff onetime single einmalig"), (.lifetime, "lifetime forever perpetual life"),
    ] {
      for name in names.split(separator: " ") { words[String(name)] = cycle }
    }
    return words
  }()
}

extension BillingCycle {
  /// The same so many times as long; nil beyond what a cycle may have, and for what is charged once.
  func times(_ factor: Int) -> BillingCycle? {
    guard let count = every, let unit else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    guard !overflow, BillingCycle.allowedCounts.contains(product) else { return nil }
    return .every(product, unit)
  }

  /// The cycle in short: `3 month`, `1 month last friday`, `once`.
  var cellText: String {
    [count.map { "\($0)" } ?? "", unitName, CycleRuleText.text(self)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The name of its unit, as tables of ours have it.
  var unitName: String { unit?.rawValue ?? kind.rawValue }
}
