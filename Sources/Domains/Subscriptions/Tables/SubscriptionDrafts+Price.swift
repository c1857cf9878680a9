import DaybookProtocol
import Subscriptions
import Tables
import Values

extension SubscriptionDrafts {
  /// What it costs a cycle, in the currency that the row, its column, or the request names. `kept` are currencies that
  /// are taken though ISO 4217 does not list them.
  func price(_ reader: inout RowReader, kept: Set<Currency>) -> Price? {
    var currency: Currency?
    if let text = reader.raw("currency") {
      currency =
        kept.first { $0.code == text.uppercased() } ?? CurrencyText.currency(text, usual: options.usual)
      if currency == nil {
        reader.refuse(
          .unknownValue, "currency", "it is no currency", allowed: "a code of ISO 4217 such as EUR, or its symbol")
      }
    }
    let allowed = "an amount such as 12.50, €12,50 or 12.50 USD"
    guard let text = reader.raw("amount") else {
      reader.refuse(.missing, "amount", "it is empty", allowed: allowed)
      return nil
    }
    let style = reader.style.mark.map { mark in
      AmountStyle(
        decimalSeparator: mark == .comma ? "," : ".", groupSeparator: mark == .comma ? "." : ",", placement: .before)
    }
    let usual = (currency ?? columnCurrency).map { [$0] } ?? options.usual
    switch AmountReader.read(text, style: style, usual: usual) {
    case .amount(let read):
      if let currency, let beside = read.currency, beside != currency {
        reader.refuse(
          .contradiction, "amount", "it is in \(beside), the currency says \(currency)", allowed: "one currency")
        return nil
      }
      // A symbol that several share is none of its own; it cannot mean the currency that is named, or it would.
      let hasOpenSymbol = read.currency == nil && CurrencyText.hasSymbol(text)
      if let currency, hasOpenSymbol {
        reader.refuse(
          .contradiction, "amount", "its symbol is none of \(currency), which the currency says",
          allowed: "one currency")
        return nil
      }
      guard let found = currency ?? read.currency ?? (hasOpenSymbol ? nil : columnCurrency ?? options.currency) else {
        if reader.problems.isEmpty {
          reader.refuse(
            .missingUnit, "amount", "nothing says which currency it is in",
            allowed: "a column with the currency, a “currency”, or a code beside the amount")
        }
        return nil
      }
      return Price(read.amount, found)
    case .ambiguous(let decimal, let grouped):
      reader.refuse(
        .ambiguousNumber, "amount",
        "it is \(decimal.amount) or \(grouped.amount), depending on what the decimal mark is",
        allowed: "a “decimalMark” decides", readings: ["\(decimal.amount)", "\(grouped.amount)"])
    case .unreadable(.twoCurrencies):
      reader.refuse(.contradiction, "amount", "it has two currencies", allowed: allowed)
    case .unreadable(.tooLong):
      reader.refuse(.outOfRange, "amount", "it has too many digits", allowed: allowed)
    case .unreadable:
      reader.refuse(.notANumber, "amount", "it is no amount", allowed: allowed)
    }
    return nil
  }

  /// The price with what other columns say of between what it varies.
  func priced(_ price: Price, _ reader: inout RowReader) -> SubscriptionPrice {
    var priced = SubscriptionPrice(Money(price))
    for (field, bound) in [("least", \SubscriptionPrice.least), ("most", \SubscriptionPrice.most)] {
      priced[keyPath: bound] = reader.number(
        field, in: Decimal(0)...SubscriptionRules.largestAmount, allowed: "an amount, or nothing"
      ) { $0 }
    }
    return priced
  }
}
