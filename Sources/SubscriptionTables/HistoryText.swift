import CivilTime
import Subscriptions
import Values

/// What changes from days on as one cell: `13.99 USD, 15.49 USD from 2025-07-01`.
enum ChangesText {
  /// The list; empty where nothing changes.
  static func text<Value>(_ history: DayHistory<Value>, _ form: (Value) -> String) -> String {
    guard !history.changes.isEmpty else { return "" }
    return ([form(history.first)] + history.changes.map { "\(form($0.value)) from \($0.from)" })
      .joined(separator: ", ")
  }

  /// What was written so, of at most `limit` values: all items but the first have a day.
  static func history<Value>(
    _ text: String, limit: Int = SubscriptionLimits.history, _ value: (inout ListWords) -> Value?
  ) throws(ListText.Fault) -> DayHistory<Value> {
    var first: Value?
    let items = try ListText.items(text, limit: limit) {
      place, words -> DayHistory<Value>.Change?? in
      guard let value = value(&words) else { return nil }
      guard place > 0 else {
        first = value
        return .some(nil)
      }
      guard words.take("from"), let day = words.day() else { return nil }
      return DayHistory<Value>.Change(from: day, value: value)
    }
    guard let first else { throw .item("") }
    return DayHistory(first: first, changes: items.compactMap { $0 })
  }
}

/// Prices as one cell.
enum PricesText {
  static let allowed = "such as 13.99 USD, 15.49 USD from 2025-07-01"

  static func text(_ prices: PriceHistory) -> String {
    ChangesText.text(prices) { "\($0.amount) \($0.currency)" }
  }

  /// What was written so, in currencies that ISO 4217 lists, and in `more`.
  static func prices(_ text: String, more: Set<Currency> = []) throws(ListText.Fault) -> PriceHistory {
    try ChangesText.history(text) { words -> Money? in
      guard let amount = words.next().flatMap({ Decimal($0) }),
        let currency = words.next().flatMap({ Currency($0.uppercased()) }), currency.isListed || more.contains(currency)
      else { return nil }
      return Money(amount, currency)
    }
  }
}

/// Shares as one cell: `all, 1 of 3 from 2026-03-01`.
enum SharesText {
  static let allowed = "such as all, 1 of 3 from 2026-03-01"

  static func text(_ shares: ShareHistory) -> String {
    ChangesText.text(shares) { $0 == .whole ? "all" : ShareText.text($0) }
  }

  static func shares(_ text: String) throws(ListText.Fault) -> ShareHistory {
    try ChangesText.history(text) { words in words.take("all") ? .whole : ShareText.share(&words) }
  }
}

/// Cycles as one cell: `every month on 2025-01-31, every 2 weeks on 2026-02-05 from 2026-02-01`.
enum CyclesText {
  static let allowed = "such as every month on 2025-01-31, every 2 weeks on 2026-02-05 from 2026-02-01"

  /// A cycle and a day it is charged on.
  struct Term: Hashable {
    var cycle: Cycle
    var anchor: CivilDay
  }

  static func text(_ subscription: Subscription) -> String {
    let former = subscription.formerTerms
    guard let first = former.first else { return "" }
    let later =
      former.dropFirst().map { Term(cycle: $0.cycle, anchor: $0.anchor) }
      + [Term(cycle: subscription.cycle, anchor: subscription.anchor)]
    let history = DayHistory(
      first: Term(cycle: first.cycle, anchor: first.anchor),
      changes: zip(former, later).map { DayHistory.Change(from: $0.until, value: $1) })
    return ChangesText.text(history) { "\(text($0.cycle)) on \($0.anchor)" }
  }

  private static func text(_ cycle: Cycle) -> String {
    guard case .every(let count, let unit) = cycle else { return cycle.unitName }
    return count == 1 ? "every \(unit.rawValue)" : "every \(SpanText.text(count, unit))"
  }

  /// All terms that a subscription has, the first of them since its start.
  static func terms(_ text: String) throws(ListText.Fault) -> DayHistory<Term> {
    // All former ones, and that which holds at last.
    try ChangesText.history(text, limit: SubscriptionLimits.history + 1) { words -> Term? in
      guard let cycle = cycle(&words), words.take("on"), let anchor = words.day() else { return nil }
      return Term(cycle: cycle, anchor: anchor)
    }
  }

  private static func cycle(_ words: inout ListWords) -> Cycle? {
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

  static func text(_ pauses: [Pause]) -> String {
    pauses.map { pause in "from \(pause.from)\(pause.until.map { " resumed on \($0)" } ?? "")" }
      .joined(separator: ", ")
  }

  static func pauses(_ text: String) throws(ListText.Fault) -> [Pause] {
    try ListText.items(text, limit: SubscriptionLimits.history) { _, words -> Pause? in
      guard words.take("from"), let from = words.day() else { return nil }
      guard words.take("resumed", "on") else { return Pause(from: from) }
      return words.day().map { Pause(from: from, until: $0) }
    }
  }
}
