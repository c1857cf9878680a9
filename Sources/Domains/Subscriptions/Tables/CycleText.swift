import DaybookProtocol
import Subscriptions
import Tables

/// The days, weekend rule and number of charges of a cycle as one cell: `days 1+15 weekend after 12 times`, `last
/// friday`.
enum CycleRuleText {
  static let allowed = "such as days 1+15, last friday, weekend after, 12 times"

  static func text(_ cycle: BillingCycle) -> String {
    var words: [String] = []
    if let days = cycle.days { words.append("days " + days.map(String.init).joined(separator: "+")) }
    if let weekday = cycle.weekday, let week = cycle.week { words.append("\(name(ofWeek: week)) \(weekday.rawValue)") }
    if let weekend = cycle.weekend { words.append("weekend \(weekend.rawValue)") }
    if let times = cycle.times { words.append("\(times) times") }
    return words.joined(separator: " ")
  }

  private static let weeks = ["first", "second", "third", "fourth"]

  private static func name(ofWeek week: Int) -> String { weeks.indices.contains(week - 1) ? weeks[week - 1] : "last" }

  /// The cycle with the rule in a cell; nil when it cannot be read.
  static func cycle(_ cycle: BillingCycle, _ text: String) -> BillingCycle? {
    var words = ListWords(text[...])
    let ruled = read(&words, for: cycle)
    return words.isAtEnd ? ruled : nil
  }

  /// The cycle with the rule that the next words state; nil when they begin a rule and do not finish it.
  static func read(_ words: inout ListWords, for cycle: BillingCycle) -> BillingCycle? {
    var ruled = cycle
    if words.consume("days") {
      let parts = words.next()?.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) } ?? []
      let days = parts.compactMap { $0 }
      guard !days.isEmpty, days.count == parts.count else { return nil }
      ruled.days = days
    }
    if let week = weeks.firstIndex(where: { words.consume($0) }).map({ $0 + 1 }) ?? (words.consume("last") ? -1 : nil) {
      guard let word = words.next()?.lowercased(), let weekday = Weekday.known.first(where: { $0.rawValue == word })
      else { return nil }
      (ruled.week, ruled.weekday) = (week, weekday)
    }
    if words.consume("weekend") {
      guard let rule = words.next()?.lowercased(), let known = WeekendRule.known.first(where: { $0.rawValue == rule })
      else { return nil }
      ruled.weekend = known
    }
    if let times = words.number() {
      guard words.consume("times") else { return nil }
      ruled.times = times
    }
    return ruled
  }
}

/// Cycles as programs and people write them: `Monthly`, `every 2 weeks`, `annual`, `6 months`, `one-off`.
package enum CycleText {
  /// The cycle that a text names; nil when it names none, or may name two, as `bimonthly` does.
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

  private static let units: [String: BillingCycle] = wordTable([
    (BillingCycle.every(1, .day), "day days d tag tage tagen"),
    (.weekly, "week weeks wk wks w woche wochen"),
    (.monthly, "month months mo mos mth mths m monat monate monaten"),
    (.quarterly, "quarter quarters quartal quartale"),
    (.yearly, "year years yr yrs y annum jahr jahre jahren"),
  ])

  private static let words: [String: BillingCycle] = wordTable([
    (BillingCycle.every(1, .day), "daily täglich"), (.weekly, "weekly wöchentlich hebdomadaire semanal"),
    (.every(2, .week), "fortnightly fortnight biweekly"), (.every(4, .week), "fourweekly"),
    (.monthly, "monthly monatlich mensuel mensual"), (.every(2, .month), "zweimonatlich"),
    (.quarterly, "quarterly trimonthly vierteljährlich quartalsweise trimestriel trimestral"),
    (.every(6, .month), "semiannual semiannually halfyearly halfyear biannual biannually halbjährlich"),
    (.yearly, "yearly annual annually jährlich annuel anual pa"), (.every(2, .year), "biennial biennially"),
    (.every(3, .year), "triennial triennially"),
    (.once, "once oneoff onetime single einmalig"), (.lifetime, "lifetime forever perpetual life"),
  ])
}

/// A table of words from lists of words for each value.
func wordTable<Value>(_ rows: [(Value, String)]) -> [String: Value] {
  var table: [String: Value] = [:]
  for (value, words) in rows {
    for word in words.split(separator: " ") { table[String(word)] = value }
  }
  return table
}

extension BillingCycle {
  /// The cycle with `factor` times its length; nil when that is out of range, and for a cycle that is charged once.
  func times(_ factor: Int) -> BillingCycle? {
    guard let count = every, let unit else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    guard !overflow, BillingCycle.allowedCounts.contains(product) else { return nil }
    return .every(product, unit)
  }

  /// The cycle in short form: `3 month`, `1 month last friday`, `once`.
  var cellText: String {
    [count.map { "\($0)" } ?? "", unitName, CycleRuleText.text(self)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The name of its unit in our own tables.
  var unitName: String { unit?.rawValue ?? kind.rawValue }
}
