import DaybookProtocol
import Values

/// An amount of one currency, as the rules reckon with it.
package struct Price: Hashable, Sendable {
  /// The amount; at most four digits after the point where a person typed it.
  package var amount: Decimal
  /// The currency.
  package var currency: Currency

  package init(_ amount: Decimal, _ currency: Currency) {
    self.amount = amount
    self.currency = currency
  }

  /// An exact amount as it is shown: rounded half away from zero to the digits of its currency.
  package init(rounding amount: ExactAmount, _ currency: Currency) {
    self.init(amount.rounded(toScale: currency.minorDigits), currency)
  }

  /// What a price of a subscription says; one that is understood has the code of a currency.
  @inline(__always)
  package init(_ price: SubscriptionPrice) { self.init(price.amount, Currency(price.currency) ?? .undefined) }
}

extension Money {
  /// The same to a client.
  package init(_ price: Price) { self.init(amount: price.amount, currency: price.currency.code) }

  /// An exact amount as it is shown.
  package init(rounding amount: ExactAmount, _ currency: Currency) { self.init(Price(rounding: amount, currency)) }
}

/// Amounts of several currencies, each by itself: they are never added to each other.
package struct CurrencyTotals: Sendable, Equatable {
  /// One amount a currency.
  package struct Entry: Sendable, Equatable {
    /// The currency.
    package let currency: Currency
    /// The amount.
    package internal(set) var amount: ExactAmount
  }

  /// Ascending by code; those that came to nothing are among them.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Adds an amount of a currency.
  @inline(__always)
  package mutating func add(_ amount: ExactAmount, _ currency: Currency) {
    for index in entries.indices where entries[index].currency == currency {
      entries[index].amount += amount
      return
    }
    insert(Entry(currency: currency, amount: amount))
  }

  /// Adds others, each to its own.
  package mutating func add(_ others: CurrencyTotals) {
    for entry in others.entries { add(entry.amount, entry.currency) }
  }

  private mutating func insert(_ entry: Entry) {
    entries.insert(entry, at: entries.firstIndex { $0.currency > entry.currency } ?? entries.endIndex)
  }

  /// What there is of a currency.
  package subscript(currency: Currency) -> ExactAmount {
    entries.first { $0.currency == currency }?.amount ?? .zero
  }

  /// The currencies, ascending.
  package var currencies: [Currency] { entries.map(\.currency) }

  /// Each times a fraction, as from a year to a month.
  package func multiplied(by factor: Int64, over divisor: Int64) -> CurrencyTotals {
    var totals = self
    for index in entries.indices {
      totals.entries[index].amount = entries[index].amount.multiplied(by: Int128(factor), over: Int128(divisor))
    }
    return totals
  }

  /// As they are shown, ascending by code.
  package var rounded: [Money] { entries.map { Money(rounding: $0.amount, $0.currency) } }
}
