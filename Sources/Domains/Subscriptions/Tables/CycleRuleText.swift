import DaybookProtocol
import Subscriptions

/// What a cycle says of days, weekends and its end as one cell: `days 1+15 weekend after 12 times`, `last friday`.
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

  /// The cycle with what stands in a cell; nil for what cannot be read.
  static func cycle(_ cycle: BillingCycle, _ text: String) -> BillingCycle? {
    var words = ListWords(text[...])
    let ruled = take(&words, for: cycle)
    return words.isAtEnd ? ruled : nil
  }

  /// The cycle with what the next words say; nil where they begin so and go on otherwise.
  static func take(_ words: inout ListWords, for cycle: BillingCycle) -> BillingCycle? {
    var ruled = cycle
    if words.take("days") {
      let parts = words.next()?.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) } ?? []
      let days = parts.compactMap { $0 }
      guard !days.isEmpty, days.count == parts.count else { return nil }
      ruled.days = days
    }
    if let week = weeks.firstIndex(where: { words.take($0) }).map({ $0 + 1 }) ?? (words.take("last") ? -1 : nil) {
      guard let word = words.next()?.lowercased(), let weekday = Weekday.known.first(where: { $0.rawValue == word })
      else { return nil }
      (ruled.week, ruled.weekday) = (week, weekday)
    }
    if words.take("weekend") {
      guard let rule = words.next()?.lowercased(), let known = WeekendRule.known.first(where: { $0.rawValue == rule })
      else { return nil }
      ruled.weekend = known
    }
    if let times = words.number() {
      guard words.take("times") else { return nil }
      ruled.times = times
    }
    return ruled
  }
}
