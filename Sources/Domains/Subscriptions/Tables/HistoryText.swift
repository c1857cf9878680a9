import CivilTime
import DaybookProtocol
import Subscriptions
import Values

/// What changes from days on as one cell: `13.99 USD, 15.49 USD from 2025-07-01`.
enum ChangesText {
  /// The list; empty where nothing changes.
  static func text<Element: HeldFromDay>(
    _ list: [Element], isTold: Bool = false, _ form: (Element) -> String
  ) -> String {
    guard list.count > 1 || isTold else { return "" }
    return list.map { form($0) + ($0.from.map { " from \($0)" } ?? "") }.joined(separator: ", ")
  }

  /// What was written so, of at most `limit` values: all items but the first have a day.
  static func list<Element: HeldFromDay>(
    _ text: String, limit: Int = SubscriptionLimits.history, _ read: (inout ListWords) -> Element?
  ) throws(ListText.Fault) -> [Element] {
    try ListText.items(text, limit: limit) { place, words -> Element? in
      guard var element = read(&words) else { return nil }
      guard place > 0 else { return element }
      guard words.take("from"), let day = words.day() else { return nil }
      element.from = day
      return element
    }
  }
}

/// Prices as one cell.
enum PricesText {
  static let allowed = "such as 13.99 USD, 15.49 USD from 2025-07-01"

  static func text(_ prices: [SubscriptionPrice]) -> String {
    ChangesText.text(prices, isTold: prices.contains { $0.range != nil }) { price in
      let bounds = [price.least.map { " at least \($0)" }, price.most.map { " at most \($0)" }]
      return "\(price.amount) \(price.currency)\(bounds.compactMap { $0 }.joined())"
    }
  }

  /// What was written so, in currencies that ISO 4217 lists, and in `more`.
  static func prices(_ text: String, more: Set<Currency> = []) throws(ListText.Fault) -> [SubscriptionPrice] {
    try ChangesText.list(text) { words in
      guard let amount = words.next().flatMap({ Decimal($0) }),
        let currency = words.next().flatMap({ Currency($0.uppercased()) }), currency.isListed || more.contains(currency)
      else { return nil }
      var price = SubscriptionPrice(amount: amount, currency: currency.code)
      for (word, bound) in [("least", \SubscriptionPrice.least), ("most", \SubscriptionPrice.most)] {
        guard words.take("at", word) else { continue }
        guard let limit = words.next().flatMap({ Decimal($0) }) else { return nil }
        price[keyPath: bound] = limit
      }
      return price
    }
  }
}

/// Shares as one cell: `all, 1 of 3 from 2026-03-01`.
enum SharesText {
  static let allowed = "such as all, 1 of 3 from 2026-03-01"

  static func text(_ shares: [SubscriptionShare]) -> String {
    ChangesText.text(shares) { $0.share == .whole ? "all" : ShareText.text($0.share) }
  }

  static func shares(_ text: String) throws(ListText.Fault) -> [SubscriptionShare] {
    try ChangesText.list(text) { words in
      (words.take("all") ? .whole : ShareText.share(&words)).map { SubscriptionShare($0) }
    }
  }
}

/// A cycle and a day it is charged on, from a day on.
struct CycleTerm: HeldFromDay {
  var from: CivilDay?
  var cycle: BillingCycle
  var anchor: CivilDay
}

/// Cycles as one cell: `every month on 2025-01-31, every 2 weeks on 2026-02-05 from 2026-02-01`.
enum CyclesText {
  static let allowed = "such as every month on 2025-01-31, every 2 weeks on 2026-02-05 from 2026-02-01"

  static func text(_ subscription: Subscription) -> String {
    var terms: [CycleTerm] = []
    var from: CivilDay?
    for former in subscription.formerTermList {
      terms.append(CycleTerm(from: from, cycle: former.cycle, anchor: former.anchor))
      from = former.until
    }
    terms.append(CycleTerm(from: from, cycle: subscription.cycle, anchor: subscription.anchor))
    return ChangesText.text(terms) { "\(text($0.cycle)) on \($0.anchor)" }
  }

  private static func text(_ cycle: BillingCycle) -> String {
    guard let count = cycle.every else { return cycle.unitName }
    let plain = count == 1 ? "every \(cycle.unitName)" : "every \(SpanText.text(count, cycle.unitName))"
    let rule = CycleRuleText.text(cycle)
    return rule.isEmpty ? plain : "\(plain) \(rule)"
  }

  /// All terms that a subscription has, the first of them since its start.
  static func terms(_ text: String) throws(ListText.Fault) -> [CycleTerm] {
    // All former ones, and that which holds at last.
    try ChangesText.list(text, limit: SubscriptionLimits.history + 1) { words in
      guard let cycle = cycle(&words), words.take("on"), let anchor = words.day() else { return nil }
      return CycleTerm(cycle: cycle, anchor: anchor)
    }
  }

  private static func cycle(_ words: inout ListWords) -> BillingCycle? {
    plainCycle(&words).flatMap { $0.isRecurring ? CycleRuleText.take(&words, for: $0) : $0 }
  }

  private static func plainCycle(_ words: inout ListWords) -> BillingCycle? {
    if words.take("once") { return .once }
    if words.take("lifetime") { return .lifetime }
    guard words.take("every"), let word = words.next() else { return nil }
    guard Int(word) != nil else { return SpanText.span("1 \(word)").map { .every($0.count, $0.unit) } }
    guard let unit = words.next() else { return nil }
    return SpanText.span("\(word) \(unit)").map { .every($0.count, $0.unit) }
  }
}

/// Pauses as one cell: `from 2025-12-01 resumed on 2026-01-05, from 2026-03-01`.
enum PausesText {
  static let allowed = "such as from 2025-12-01 resumed on 2026-01-05, from 2026-03-01"

  static func text(_ pauses: [SubscriptionPause]) -> String {
    pauses.map { pause in "from \(pause.from)\(pause.until.map { " resumed on \($0)" } ?? "")" }
      .joined(separator: ", ")
  }

  static func pauses(_ text: String) throws(ListText.Fault) -> [SubscriptionPause] {
    try ListText.items(text, limit: SubscriptionLimits.history) { _, words -> SubscriptionPause? in
      guard words.take("from"), let from = words.day() else { return nil }
      guard words.take("resumed", "on") else { return SubscriptionPause(from: from) }
      return words.day().map { SubscriptionPause(from: from, until: $0) }
    }
  }
}
