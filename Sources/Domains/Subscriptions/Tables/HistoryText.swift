import DaybookProtocol
import Subscriptions
import Tables

/// A history as one cell: `13.99 USD, 15.49 USD from 2025-07-01`.
enum ChangesText {
  /// The list; empty for a single value unless `always`.
  static func text<Element: EffectiveDated>(
    _ list: [Element], always: Bool = false, _ form: (Element) -> String
  ) -> String {
    guard list.count > 1 || always else { return "" }
    return list.map { form($0) + ($0.from.map { " from \($0)" } ?? "") }.joined(separator: ", ")
  }

  /// The history in a cell, of at most `limit` values; every value but the first has a day.
  static func list<Element: EffectiveDated>(
    _ text: String, limit: Int = SubscriptionLimits.history, _ read: (inout ListWords) -> Element?
  ) throws(ListText.Fault) -> [Element] {
    try ListText.items(text, limit: limit) { place, words -> Element? in
      guard var element = read(&words) else { return nil }
      guard place > 0 else { return element }
      guard words.consume("from"), let day = words.day() else { return nil }
      element.from = day
      return element
    }
  }
}

enum PricesText {
  static let allowed = "such as 13.99 USD, 15.49 USD from 2025-07-01"

  static func text(_ prices: [SubscriptionPrice]) -> String {
    ChangesText.text(prices, always: prices.contains { $0.range != nil }) { price in
      let bounds = [price.least.map { " at least \($0)" }, price.most.map { " at most \($0)" }]
      return "\(price.amount) \(price.currency)\(bounds.compactMap { $0 }.joined())"
    }
  }

  /// The prices in a cell, in currencies that ISO 4217 lists or that are in `kept`.
  static func prices(_ text: String, kept: Set<Currency> = []) throws(ListText.Fault) -> [SubscriptionPrice] {
    try ChangesText.list(text) { words in
      guard let amount = words.next().flatMap({ Decimal($0) }),
        let currency = words.next().flatMap({ Currency($0.uppercased()) }), currency.isListed || kept.contains(currency)
      else { return nil }
      var price = SubscriptionPrice(amount: amount, currency: currency.code)
      for (word, bound) in [("least", \SubscriptionPrice.least), ("most", \SubscriptionPrice.most)] {
        guard words.consume("at", word) else { continue }
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
      (words.consume("all") ? .whole : ShareText.share(&words)).map { SubscriptionShare($0) }
    }
  }
}

/// A cycle and its anchor from a day on.
struct CycleTerm: EffectiveDated {
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

  /// All terms of a subscription, the first from its start.
  static func terms(_ text: String) throws(ListText.Fault) -> [CycleTerm] {
    // The former terms, and the present one.
    try ChangesText.list(text, limit: SubscriptionLimits.history + 1) { words in
      guard let cycle = cycle(&words), words.consume("on"), let anchor = words.day() else { return nil }
      return CycleTerm(cycle: cycle, anchor: anchor)
    }
  }

  private static func cycle(_ words: inout ListWords) -> BillingCycle? {
    plainCycle(&words).flatMap { $0.isRecurring ? CycleRuleText.read(&words, for: $0) : $0 }
  }

  private static func plainCycle(_ words: inout ListWords) -> BillingCycle? {
    if words.consume("once") { return .once }
    if words.consume("lifetime") { return .lifetime }
    guard words.consume("every"), let word = words.next() else { return nil }
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
      guard words.consume("from"), let from = words.day() else { return nil }
      guard words.consume("resumed", "on") else { return SubscriptionPause(from: from) }
      return words.day().map { SubscriptionPause(from: from, until: $0) }
    }
  }
}

/// A list as one cell: items separated by commas, each a sequence of words, case-insensitive.
enum ListText {
  enum Fault: Error, Equatable {
    /// It is longer than this many bytes.
    case tooLong(Int)
    /// It has more than this many items.
    case tooMany(Int)
    /// An item that cannot be read; its first 60 characters.
    case item(String)
  }

  /// Longer than any valid item.
  private static let itemBytes = 100

  /// The items of a list of at most `limit`. `item` reads one from its index and words; nil refuses it.
  static func items<Item>(
    _ text: String, limit: Int, _ item: (Int, inout ListWords) -> Item?
  ) throws(Fault) -> [Item] {
    let longest = limit * itemBytes
    guard text.utf8.count <= longest else { throw .tooLong(longest) }
    let parts = text.split(separator: ",", maxSplits: limit, omittingEmptySubsequences: false)
    guard parts.count <= limit else { throw .tooMany(limit) }
    var items: [Item] = []
    for part in parts {
      var words = ListWords(part)
      guard let read = item(items.count, &words), words.isAtEnd else {
        throw .item(String(String(part).trimmedCell.prefix(60)))
      }
      items.append(read)
    }
    return items
  }
}

/// The remaining words of a list item.
struct ListWords {
  private var rest: ArraySlice<Substring>

  init(_ text: Substring) { rest = text.split(whereSeparator: \.isWhitespace)[...] }

  /// Whether every word was taken.
  var isAtEnd: Bool { rest.isEmpty }

  mutating func next() -> String? { rest.popFirst().map(String.init) }

  /// Consumes these words if they come next; returns whether they did.
  mutating func consume(_ words: String...) -> Bool {
    guard rest.count >= words.count, zip(rest, words).allSatisfy({ $0.lowercased() == $1 }) else { return false }
    rest = rest.dropFirst(words.count)
    return true
  }

  /// Takes the next word if it is a currency code.
  mutating func currency() -> Currency? {
    let currency = rest.first.flatMap { Currency($0.uppercased()) }
    if currency != nil { rest = rest.dropFirst() }
    return currency
  }

  /// Takes the next word if it is a whole number.
  mutating func number() -> Int? {
    let number = rest.first.flatMap { Int($0) }
    if number != nil { rest = rest.dropFirst() }
    return number
  }

  /// Takes the next word; nil unless it is a day.
  mutating func day() -> CivilDay? { next().flatMap { CivilDay($0) } }
}
