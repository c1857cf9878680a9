import DaybookProtocol

/// A user's exchange rates of one day.
package struct RateTable: Hashable, Sendable {
  /// The currency that every rate is relative to.
  package let base: Currency
  package let date: CivilDay
  /// The worth of one unit of the base by currency; the base itself is not included.
  package let rates: [Currency: Decimal]

  /// Rates are above 0 and at most a billion.
  package static let largestRate = Decimal(1_000_000_000)
  /// The significant digits of a rate: with more, conversions would not be exact.
  package static let rateDigits = 12
  package static let rateCount = 1...200

  /// - Throws: the first problem by code: a rate out of range, then one with too many digits.
  package init(base: Currency, date: CivilDay, rates: [Currency: Decimal]) throws(Refusal) {
    for (currency, rate) in rates.sorted(by: { $0.key < $1.key }) where rate <= .zero || rate > RateTable.largestRate {
      throw Refusal(
        "/rates/\(currency)", .range, "this is not an exchange rate: \(rate)",
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

  package func has(_ currency: Currency) -> Bool { rate(currency) != nil }

  /// An exact conversion; nil when a rate is missing.
  package func convert(_ amount: ExactAmount, from: Currency, to: Currency) -> ExactAmount? {
    guard from != to else { return amount }
    guard let source = rate(from), let target = rate(to) else { return nil }
    return amount.multiplied(
      by: Int128(target.significand) * Int128(ExactAmount.power(source.scale)),
      over: Int128(source.significand) * Int128(ExactAmount.power(target.scale)))
  }

  /// The total in one currency, or the currencies without a rate; neither when it is too large.
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

extension RateTable {
  /// The table that a user supplied. The base may be among the rates, as 1, and is left out.
  ///
  /// - Throws: the first problem: of the base, then of the rates by code.
  package init(typedBase: String, date: CivilDay, rates typed: [String: Decimal]) throws(Refusal) {
    let base = try Currency(listed: typedBase, pointer: "/base")
    var rates: [Currency: Decimal] = [:]
    for (code, rate) in typed.sorted(by: { $0.key < $1.key }) {
      let pointer = "/rates" + JSONPointer.token(code)
      let currency = try Currency(listed: code, pointer: pointer)
      guard currency == base else {
        rates[currency] = rate
        continue
      }
      guard rate == Decimal(1) else {
        throw Refusal(
          pointer, .conflict, "the base's own rate is 1, not \(rate)", allowed: "1, or no rate of the base")
      }
    }
    guard RateTable.rateCount.contains(rates.count) else {
      throw Refusal(
        "/rates", rates.isEmpty ? .missing : .length, "there are \(rates.count) rates besides the base's own",
        allowed: "\(RateTable.rateCount.lowerBound) to \(RateTable.rateCount.upperBound) rates")
    }
    try self.init(base: base, date: date, rates: rates)
  }

  /// A stored table. Codes that ISO 4217 no longer lists stay, and invalid rates are left out; nil when the base is no
  /// currency code.
  package init?(_ stored: ExchangeRates) {
    guard let base = Currency(stored.base) else { return nil }
    var rates: [Currency: Decimal] = [:]
    for (code, rate) in stored.rates {
      guard let currency = Currency(code),
        (try? RateTable(base: base, date: stored.date, rates: [currency: rate])) != nil
      else { continue }
      rates[currency] = rate
    }
    try? self.init(base: base, date: stored.date, rates: rates)
  }
}

extension ExchangeRates {
  package init(_ table: RateTable) {
    self.init(
      base: table.base.code, date: table.date,
      rates: Dictionary(uniqueKeysWithValues: table.rates.map { ($0.key.code, $0.value) }))
  }
}

extension Currency {
  /// The currency of a code that a person sent.
  ///
  /// - Throws: a refusal unless ISO 4217 lists the code, in capitals.
  package init(listed code: String, pointer: String) throws(Refusal) {
    if let currency = Currency(code), currency.isListed {
      self = currency
      return
    }
    // An invalid code may be a page long.
    let shown = code.unicodeScalars.count > 10 ? String(code.prefix(10)) + "…" : code
    let capitals = Currency(code.uppercased()).flatMap { $0.isListed ? $0.code : nil }
    throw Refusal(
      pointer, .form, "“\(shown)” is not a currency code",
      allowed: capitals.map { "the code in capitals: \($0)" }
        ?? "a code of three capital letters that ISO 4217 lists, such as EUR")
  }
}

extension Subscription {
  /// Refuses a new currency that ISO 4217 does not list.
  package func checkCurrencies(since old: Subscription?) throws(Refusal) {
    let known = Set(old?.prices.map(\.currency) ?? [])
    for (index, price) in prices.enumerated() where !known.contains(price.currency) {
      _ = try Currency(listed: price.currency, pointer: "/prices/\(index)/currency")
    }
    let paid = known.union(prices.map(\.currency)).union(old?.markList.compactMap(\.paidCurrency) ?? [])
    for (index, mark) in markList.enumerated() {
      guard let code = mark.paidCurrency, !paid.contains(code) else { continue }
      _ = try Currency(listed: code, pointer: "/marks/\(index)/paidCurrency")
    }
  }
}
