import CivilTime
import DaybookProtocol
import Values

/// Exchange rates that a user supplied, of one day.
package struct RateTable: Hashable, Sendable {
  /// The currency that all rates are told against.
  package let base: Currency
  /// The day the rates are of.
  package let date: CivilDay
  /// How much of a currency one unit of the base is worth; the base's own counts as 1 and is not read.
  package let rates: [Currency: Decimal]

  /// What a rate may be: more than nothing, at most a billion.
  package static let largestRate = Decimal(1_000_000_000)
  /// How many digits a rate may have, zeros at its ends not counted: with more, a conversion would no longer be exact.
  package static let rateDigits = 12
  /// How many rates there may be.
  package static let rateCount = 1...200

  /// Throws the problem of the first rate, by code, that is not above 0 and at most a billion, or has too many digits.
  package init(base: Currency, date: CivilDay, rates: [Currency: Decimal]) throws(Refusal) {
    for (currency, rate) in rates.sorted(by: { $0.key < $1.key }) where rate <= .zero || rate > RateTable.largestRate {
      throw Refusal(
        "/rates/\(currency)", .range, "this is no exchange rate: \(rate)",
        allowed: "a decimal above 0, at most 1000000000")
    }
    for (currency, rate) in rates.sorted(by: { $0.key < $1.key }) {
      var digits = rate.normalized.significand
      while digits != 0, digits % 10 == 0 { digits /= 10 }
      guard "\(digits)".utf8.count > RateTable.rateDigits else { continue }
      throw Refusal(
        "/rates/\(currency)", .precision, "too many digits: \(rate)", allowed: "at most \(RateTable.rateDigits) digits")
    }
    self.base = base
    self.date = date
    self.rates = rates
  }

  private func rate(_ currency: Currency) -> Decimal? { currency == base ? Decimal(1) : rates[currency] }

  /// Whether amounts of a currency can be converted.
  package func has(_ currency: Currency) -> Bool { rate(currency) != nil }

  /// An amount of one currency in another, exactly; nil when the table lacks one of them.
  package func convert(_ amount: ExactAmount, from: Currency, to: Currency) -> ExactAmount? {
    guard from != to else { return amount }
    guard let source = rate(from), let target = rate(to) else { return nil }
    return amount.multiplied(
      by: Int128(target.significand) * Int128(ExactAmount.power(source.scale)),
      over: Int128(source.significand) * Int128(ExactAmount.power(target.scale)))
  }

  /// All of it in one currency, or which currencies the table lacks; neither when it is too large to be told.
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
    let amount = missing.isEmpty ? sum.roundedExactly(toScale: target.minorDigits) : nil
    return ConvertedTotal(
      amount: amount.map { Money(amount: $0, currency: target.code) }, date: date,
      missing: Set(missing).sorted().map(\.code))
  }
}
