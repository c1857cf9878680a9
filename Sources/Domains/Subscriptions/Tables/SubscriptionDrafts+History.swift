import DaybookProtocol
import Subscriptions
import Tables

/// The histories in a row of our own; nil where the cell is empty.
struct RowHistory {
  var prices: [SubscriptionPrice]?
  var shares: [SubscriptionShare]?
  var terms: [CycleTerm]?
  var pauses: [SubscriptionPause]?
  var marks: [ChargeMark]?

  /// Replaces the values that the other columns state.
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
  /// `kept` are currencies that are accepted though ISO 4217 does not list them.
  func history(_ reader: inout RowReader, kept: Set<Currency>) -> RowHistory {
    RowHistory(
      prices: list("prices", &reader, PricesText.allowed) { text throws(ListText.Fault) in
        try PricesText.prices(text, kept: kept)
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

  /// Refuses a price, share, cycle or anchor that was edited but is not in its list: it is unclear which
  /// of the two is meant.
  func compare(
    _ history: RowHistory, _ price: Price, _ share: PayerShare, _ cycle: BillingCycle, _ days: RowDays,
    _ reader: inout RowReader
  ) {
    if let prices = history.prices, !prices.contains(where: { Price($0) == price }) {
      reader.refuse(
        .contradiction, "amount", "it is not one of the row's prices",
        allowed: "one of “Prices”, or nothing in that column")
    }
    if let shares = history.shares, mapping.columns["share"] != nil, !shares.contains(where: { $0.share == share }) {
      reader.refuse(
        .contradiction, "share", "it is not one of the row's shares",
        allowed: "one of “Shares”, or nothing in that column")
    }
    guard let terms = history.terms else { return }
    let same = terms.filter { $0.cycle == cycle }
    if same.isEmpty {
      reader.refuse(
        .contradiction, "unit", "it is not one of the row's cycles",
        allowed: "one of “Cycles”, or nothing in that column")
    } else if let anchor = days.anchor, !same.contains(where: { $0.anchor == anchor }) {
      reader.refuse(
        .contradiction, "anchor", "it is not an anchor of the row's cycles",
        allowed: "one of “Cycles”, or nothing in that column")
    }
  }
}
