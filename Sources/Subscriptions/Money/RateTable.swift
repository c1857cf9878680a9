import CivilTime
import Values

/// Exchange rates that a user supplied, of one day.
package struct RateTable: Hashable, Sendable {
  /// The currency that all rates are told against.
  package let base: Currency
  /// The day the rates are of.
  package let date: CivilDay
  /// How much of a currency one unit of the base is worth; the base's own counts as 1, whatever is written.
  package let rates: [Currency: Decimal]

  /// What a rate may be: more than nothing, at most a billion.
  package static let largestRate = Decimal(1_000_000_000)

  /// Throws the problem of the first rate, by code, that is not above 0 and at most a billion.
  package init(base: Currency, date: CivilDay, rates: [Currency: Decimal]) throws(SubscriptionProblem) {
    for (currency, rate) in rates.sorted(by: { $0.key < $1.key }) where rate <= .zero || rate > RateTable.largestRate {
      throw SubscriptionProblem(
        "/rates/\(currency)", .range, "this is no exchange rate: \(rate)",
        allowed: "a decimal above 0, at most 1000000000")
    }
    self.base = base
    self.date = date
    self.rates = rates
  }

  private func rate(_ currency: Currency) -> Decimal? { currency == base ? Decimal(1) : rates[currency] }

  /// An amount of one currency in another, exactly; nil when the table lacks one of them.
  package func convert(_ amount: ExactAmount, from: Currency, to: Currency) -> ExactAmount? {
    guard from != to else { return amount }
    guard let source = rate(from), let target = rate(to) else { return nil }
    return amount.multiplied(
      by: Int128(target.significand) * Int128(ExactAmount.power(source.scale)),
      over: Int128(source.significand) * Int128(ExactAmount.power(target.scale)))
  }

  /// All of it in one currency, or which currencies the table lacks.
  package func total(_ totals: CurrencyTotals, in target: Currency) -> ConvertedTotal {
    var sum = ExactAmount.zero
    var missing: [Currency] = []
    for entry in totals.entries {
      if let amount = convert(entry.amount, from: entry.currency, to: target) {
        sum += amount
      } else {
        missing.append(rate(target) == nil ? target : entry.currency)
      }
    }
    return ConvertedTotal(
      amount: missing.isEmpty ? Money(rounding: sum, target) : nil, exact: missing.isEmpty ? sum : nil, date: date,
      missing: Set(missing).sorted())
  }
}

/// Several currencies told as one, with the day of the rates.
package struct ConvertedTotal: Sendable, Equatable {
  /// The total; nil when a rate is missing: a part is not the whole.
  package let amount: Money?
  /// The same before it was rounded.
  package let exact: ExactAmount?
  /// The day the rates are of.
  package let date: CivilDay
  /// The currencies without a rate, ascending.
  package let missing: [Currency]
}
