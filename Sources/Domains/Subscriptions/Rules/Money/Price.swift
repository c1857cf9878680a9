import DaybookProtocol

/// An amount of one currency, as the rules compute with it.
package struct Price: Hashable, Sendable {
  /// At most four decimals where a person typed it.
  package var amount: Decimal
  package var currency: Currency

  package init(_ amount: Decimal, _ currency: Currency) {
    self.amount = amount
    self.currency = currency
  }

  /// A rounded amount: half away from zero to the decimals of its currency.
  package init(rounding amount: ExactAmount, _ currency: Currency) {
    self.init(amount.rounded(toScale: currency.minorDigits), currency)
  }

  @inline(__always)
  package init(_ price: SubscriptionPrice) { self.init(price.amount, Currency(price.currency) ?? .undefined) }
}

extension Money {
  package init(_ price: Price) { self.init(amount: price.amount, currency: price.currency.code) }

  /// A rounded amount.
  package init(rounding amount: ExactAmount, _ currency: Currency) { self.init(Price(rounding: amount, currency)) }
}

/// Amounts by currency, which are never added across currencies.
package struct CurrencyTotals: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package let currency: Currency
    package internal(set) var amount: ExactAmount
  }

  /// Ascending by code; zero amounts included.
  package private(set) var entries: [Entry] = []

  package init() {}

  @inline(__always)
  package mutating func add(_ amount: ExactAmount, _ currency: Currency) {
    for index in entries.indices where entries[index].currency == currency {
      entries[index].amount += amount
      return
    }
    insert(Entry(currency: currency, amount: amount))
  }

  package mutating func add(_ others: CurrencyTotals) {
    for entry in others.entries { add(entry.amount, entry.currency) }
  }

  private mutating func insert(_ entry: Entry) {
    entries.insert(entry, at: entries.firstIndex { $0.currency > entry.currency } ?? entries.endIndex)
  }

  package subscript(currency: Currency) -> ExactAmount {
    entries.first { $0.currency == currency }?.amount ?? .zero
  }

  package var currencies: [Currency] { entries.map(\.currency) }

  /// Every amount times a fraction.
  package func multiplied(by factor: Int64, over divisor: Int64) -> CurrencyTotals {
    var totals = self
    for index in entries.indices {
      totals.entries[index].amount = entries[index].amount.multiplied(by: Int128(factor), over: Int128(divisor))
    }
    return totals
  }

  /// Rounded amounts, ascending by code.
  package var rounded: [Money] { entries.map { Money(rounding: $0.amount, $0.currency) } }
}
