import CivilTime
import DaybookProtocol
import Values

extension RateTable {
  /// The table of what a person supplied. The base may be among the rates, as 1, and is left out.
  ///
  /// Throws the first problem: of the base, then of the rates by code.
  package init(typedBase: String, date: CivilDay, rates typed: [String: Decimal]) throws(Refusal) {
    let base = try Currency(listed: typedBase, pointer: "/base")
    var rates: [Currency: Decimal] = [:]
    for (code, rate) in typed.sorted(by: { $0.key < $1.key }) {
      let pointer = "/rates/" + RateTable.escaped(code)
      let currency = try Currency(listed: code, pointer: pointer)
      guard currency == base else {
        rates[currency] = rate
        continue
      }
      guard rate == Decimal(1) else {
        throw Refusal(
          pointer, .conflict, "the base is worth 1 of itself, not \(rate)", allowed: "1, or no rate of the base")
      }
    }
    guard RateTable.rateCount.contains(rates.count) else {
      throw Refusal(
        "/rates", rates.isEmpty ? .missing : .length, "there are \(rates.count) rates besides the base's own",
        allowed: "\(RateTable.rateCount.lowerBound) to \(RateTable.rateCount.upperBound) rates")
    }
    try self.init(base: base, date: date, rates: rates)
  }

  /// The table that was stored: currencies that ISO 4217 lists no longer stay, and what cannot be a rate is left out; nil when
  /// the base cannot be a currency.
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

  /// A name as a part of a JSON Pointer (RFC 6901).
  private static func escaped(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.append(character)
      }
    }
  }
}

extension ExchangeRates {
  /// The table, to be stored.
  package init(_ table: RateTable) {
    self.init(
      base: table.base.code, date: table.date,
      rates: Dictionary(uniqueKeysWithValues: table.rates.map { ($0.key.code, $0.value) }))
  }
}

extension Currency {
  /// The currency that a person named by its code.
  ///
  /// Throws a problem unless ISO 4217 lists the code as it stands, in capitals.
  package init(listed code: String, pointer: String) throws(Refusal) {
    if let currency = Currency(code), currency.isListed {
      self = currency
      return
    }
    // A code that is no code may be a page long.
    let shown = code.unicodeScalars.count > 10 ? String(code.prefix(10)) + "…" : code
    let capitals = Currency(code.uppercased()).flatMap { $0.isListed ? $0.code : nil }
    throw Refusal(
      pointer, .form, "“\(shown)” is no code of a currency",
      allowed: capitals.map { "the code in capitals: \($0)" }
        ?? "a code of three capital letters that ISO 4217 lists, such as EUR")
  }
}

extension Subscription {
  /// Refuses a currency that was not there before and that ISO 4217 does not list.
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
