import DaybookProtocol
import Subscriptions
import Tables

/// What a row of our own says of other days than that on which it was written; nil where its cell is empty.
struct RowHistory {
  var prices: [SubscriptionPrice]?
  var shares: [SubscriptionShare]?
  var terms: [CycleTerm]?
  var pauses: [SubscriptionPause]?
  var marks: [ChargeMark]?

  /// Puts it in the place of what the other columns say.
  func apply(to subscription: inout Subscription, hasStart: Bool) {
    if let prices { subscription.prices = prices }
    if let shares { subscription.shareList = shares }
    if let pauses { subscription.pauseList = pauses }
    if let marks { subscription.markList = marks }
    guard let terms, let first = terms.first, let last = terms.last else { return }
    (subscription.cycle, subscription.anchor) = (last.cycle, last.anchor)
    subscription.formerTermList = zip(terms, terms.dropFirst()).compactMap { term, next in
      next.from.map { FormerTerm(cycle: term.cycle, anchor: term.anchor, until: $0) }
    }
    if !hasStart { subscription.start = min(subscription.start, first.anchor) }
  }
}

extension SubscriptionDrafts {
  /// `kept` are currencies that are taken though ISO 4217 does not list them.
  func history(_ reader: inout RowReader, kept: Set<Currency>) -> RowHistory {
    RowHistory(
      prices: list("prices", &reader, PricesText.allowed) { text throws(ListText.Fault) in
        try PricesText.prices(text, more: kept)
      },
      shares: list("shares", &reader, SharesText.allowed, SharesText.shares),
      terms: list("cycles", &reader, CyclesText.allowed, CyclesText.terms),
      pauses: list("pauses", &reader, PausesText.allowed, PausesText.pauses),
      marks: list("charges", &reader, ChargesText.allowed, ChargesText.marks))
  }

  private func list<Value>(
    _ field: String, _ reader: inout RowReader, _ allowed: String, _ read: (String) throws(ListText.Fault) -> Value
  ) -> Value? {
    guard let text = reader.raw(field) else { return nil }
    do throws(ListText.Fault) { return try read(text) } catch {
      switch error {
      case .tooLong(let longest):
        reader.refuse(.tooLong, field, "it is too long", allowed: "at most \(longest) bytes")
      case .tooMany(let most):
        reader.refuse(.tooLong, field, "it has too many items", allowed: "at most \(most)")
      case .item(let item): reader.refuse(.malformed, field, "“\(item)” cannot be read", allowed: allowed)
      }
      return nil
    }
  }

  /// Refuses a price, a share, a cycle or a day to count from that was edited beside the list that it should be in:
  /// which of the two is meant nobody knows.
  func compare(
    _ history: RowHistory, _ price: Price, _ share: PayerShare, _ cycle: BillingCycle, _ days: RowDays,
    _ reader: inout RowReader
  ) {
    if let prices = history.prices, !prices.contains(where: { Price($0) == price }) {
      reader.refuse(
        .contradiction, "amount", "it is none of the prices that the row has",
        allowed: "one of “Prices”, or nothing in that column")
    }
    if let shares = history.shares, mapping.columns["share"] != nil, !shares.contains(where: { $0.share == share }) {
      reader.refuse(
        .contradiction, "share", "it is none of the shares that the row has",
        allowed: "one of “Shares”, or nothing in that column")
    }
    guard let terms = history.terms else { return }
    let same = terms.filter { $0.cycle == cycle }
    if same.isEmpty {
      reader.refuse(
        .contradiction, "unit", "it is none of the cycles that the row has",
        allowed: "one of “Cycles”, or nothing in that column")
    } else if let anchor = days.anchor, !same.contains(where: { $0.anchor == anchor }) {
      reader.refuse(
        .contradiction, "anchor", "it is none of the days that the row's cycles are counted from",
        allowed: "one of “Cycles”, or nothing in that column")
    }
  }
}
