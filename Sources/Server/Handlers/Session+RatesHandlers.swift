import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Subscriptions
import Values

extension Session {
  /// The exchange rates that the user supplied; nil when there are none.
  func rateTable() throws(RPCError) -> RateTable? {
    if let ratesCache { return ratesCache.table }
    let table = try storedRates().flatMap { RateTable($0.rates) }
    ratesCache = KnownRates(table: table)
    return table
  }

  func ratesGet(_ params: NoParams) throws(RPCError) -> RatesGetResult {
    RatesGetResult(rates: try storedRates()?.rates, revision: try revision())
  }

  func ratesSet(_ params: RatesSetParams, _ call: inout Call) throws(RPCError) -> RatesSetResult {
    let new = try rates(params)
    let old = try storedRates()
    try checkBase(params.revision, old, yours: new)
    guard new != old?.rates else { return RatesSetResult(rates: new, changed: false, revision: try revision()) }
    let now = now()
    let stamp = old.map { max(now, $0.record.updatedAt.advanced(by: 1)) } ?? now
    let put = Operation.put(
      ExchangeRates.collection, id: ExchangeRates.singleID, day: nil,
      schema: options.migrations.schema(of: ExchangeRates.collection),
      createdAt: old?.record.createdAt ?? now, updatedAt: stamp,
      body: try options.migrations.body(new, keeping: old?.record))
    let revision = try commit([put], &call)
    return RatesSetResult(rates: new, changed: true, revision: revision)
  }

  func ratesClear(_ params: RatesClearParams, _ call: inout Call) throws(RPCError) -> RatesClearResult {
    let old = try storedRates()
    try checkBase(params.revision, old, yours: nil)
    guard old != nil else { return RatesClearResult(changed: false, revision: try revision()) }
    let revision = try commit([.delete(ExchangeRates.collection, id: ExchangeRates.singleID)], &call)
    return RatesClearResult(changed: true, revision: revision)
  }

  func ratesConvert(_ params: RatesConvertParams) throws(RPCError) -> RatesConvertResult {
    let source = try Session.listedCurrency(params.amount.currency, pointer: "/amount/currency")
    let target = try Session.listedCurrency(params.to, pointer: "/to")
    let amount = params.amount.amount
    guard ConversionLimits.amounts.contains(amount) else {
      throw RPCError(
        .invalidParams, "out of range: \(amount)", pointer: "/amount/amount", allowed: ConversionLimits.allowed)
    }
    guard source != target else {
      return RatesConvertResult(
        amount: Money(rounding: ExactAmount(amount), target),
        revision: try revision())
    }
    let table = try rateTable()
    guard let table, let exact = table.convert(ExactAmount(amount), from: source, to: target) else {
      throw Session.rateMissing(
        table, [(source, "/amount/currency"), (target, "/to")].filter { !(table?.has($0.0) ?? false) })
    }
    guard exact >= ExactAmount(ConversionLimits.amounts.lowerBound),
      exact <= ExactAmount(ConversionLimits.amounts.upperBound)
    else {
      throw RPCError(
        .invalidParams, "the converted amount is too large", pointer: "/amount/amount",
        allowed: "\(ConversionLimits.allowed), converted too")
    }
    return RatesConvertResult(
      amount: Money(rounding: exact, target), date: table.date,
      revision: try revision())
  }

  /// The refusal to convert for want of rates; each currency with where it was asked for.
  private static func rateMissing(
    _ table: RateTable?, _ missing: [(currency: Currency, pointer: String)]
  ) -> RPCError {
    let codes = missing.map(\.currency).sorted().map(\.code)
    return RPCError(
      .rateMissing, "there is no exchange rate for \(codes.joined(separator: " and "))",
      pointer: table == nil ? nil : missing.first?.pointer,
      hint: table == nil ? "“rates/set” takes exchange rates" : "“rates/set” takes the rates with it", currencies: codes
    )
  }

  /// The rates that params ask for, as they are to be stored.
  private func rates(_ params: RatesSetParams) throws(RPCError) -> ExchangeRates {
    let table: RateTable
    do throws(SubscriptionProblem) {
      table = try RateTable(typedBase: params.base, date: params.date, rates: params.rates)
    } catch { throw RPCError(error, hint: error.rule == .form ? Session.codesHint : nil) }
    // Where rates are made it may be tomorrow already.
    let latest = today.advanced(by: 1)
    guard params.date <= latest else {
      throw RPCError(
        .invalidParams, "the day is yet to come: \(params.date)", pointer: "/date", allowed: "a day up to \(latest)")
    }
    return ExchangeRates(table)
  }

  private func storedRates() throws(RPCError) -> (rates: ExchangeRates, record: Record)? {
    guard let record = try snapshot().record(ExchangeRates.singleID, in: ExchangeRates.collection) else { return nil }
    return (try decode(ExchangeRates.self, record), record)
  }

  /// Refuses an edit that is based on a revision since which the rates have changed.
  private func checkBase(
    _ base: Int?, _ old: (rates: ExchangeRates, record: Record)?, yours: ExchangeRates?
  ) throws(RPCError) {
    let present = try revision()
    guard let base else { return }
    let isStale =
      if let old { old.record.revision > base } else { try wereRatesDeleted(since: base, present) }
    guard isStale || base > present else { return }
    throw RPCError(
      .conflict, "the exchange rates are not as they were at revision \(base)", pointer: "/revision",
      hint: "read them again and repeat the edit",
      conflict: ConflictVersions(current: old.map { value($0.rates) }, yours: yours.map { value($0) }))
  }

  /// Whether rates that are not there were so at a revision; what is too long ago counts as that.
  private func wereRatesDeleted(since base: Int, _ present: Int) throws(RPCError) -> Bool {
    guard base < present else { return false }
    let store = try openStore()
    do throws(StoreError) {
      return try store.changes(since: base).records.contains { record in
        record.collection == ExchangeRates.collection && record.isDeleted && !record.isNew
      }
    } catch {
      guard error.code == .revisionTooOld else { throw RPCError(error) }
      return true
    }
  }
}

/// The rates as they were last read.
struct KnownRates {
  /// Nil when there are none.
  let table: RateTable?
}

/// What can be converted.
enum ConversionLimits {
  static let amounts = Decimal(-99_999_999_999_999)...Decimal(99_999_999_999_999)
  static let allowed = "a decimal from \(amounts.lowerBound) to \(amounts.upperBound)"
}
