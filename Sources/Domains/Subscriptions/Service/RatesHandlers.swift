import DomainKit
import Subscriptions

extension SubscriptionsService {
  /// The user's exchange rates; nil when there are none.
  func rateTable(_ context: Context) throws(RPCError) -> RateTable? {
    _ = try context.storeRevision()
    if let known = rates[context.folder] { return known }
    let table = try storedRates(context).flatMap { RateTable($0.rates) }
    rates[context.folder] = .some(table)
    return table
  }

  func ratesGet(_ params: NoParams, _ context: inout Context) throws(RPCError) -> RatesGetResult {
    RatesGetResult(rates: try storedRates(context)?.rates, revision: try context.storeRevision())
  }

  func ratesSet(_ params: RatesSetParams, _ context: inout Context) throws(RPCError) -> RatesSetResult {
    let new = try requestedRates(params, context.today)
    let old = try storedRates(context)
    try checkBase(params.revision, old, yours: new, context)
    guard new != old?.rates else {
      return RatesSetResult(rates: new, changed: false, revision: try context.storeRevision())
    }
    let revision = try context.commit([try context.put(new)])
    return RatesSetResult(rates: new, changed: true, revision: revision)
  }

  func ratesClear(_ params: RatesClearParams, _ context: inout Context) throws(RPCError) -> RatesClearResult {
    let old = try storedRates(context)
    try checkBase(params.revision, old, yours: nil, context)
    guard old != nil else { return RatesClearResult(changed: false, revision: try context.storeRevision()) }
    let revision = try context.commit([.delete(ExchangeRates.collection, id: ExchangeRates.singleID)])
    return RatesClearResult(changed: true, revision: revision)
  }

  func ratesConvert(_ params: RatesConvertParams, _ context: inout Context) throws(RPCError) -> RatesConvertResult {
    let source = try SubscriptionsService.listedCurrency(params.amount.currency, pointer: "/amount/currency")
    let target = try SubscriptionsService.listedCurrency(params.to, pointer: "/to")
    let amount = params.amount.amount
    guard ConversionLimits.amounts.contains(amount) else {
      throw RPCError(
        .invalidParams, "out of range: \(amount)", pointer: "/amount/amount", allowed: ConversionLimits.allowed)
    }
    guard source != target else {
      return RatesConvertResult(
        amount: Money(rounding: ExactAmount(amount), target),
        revision: try context.storeRevision())
    }
    let table = try rateTable(context)
    guard let table, let exact = table.convert(ExactAmount(amount), from: source, to: target) else {
      throw SubscriptionsService.rateMissing(
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
      revision: try context.storeRevision())
  }

  /// The error for missing rates; each currency with its pointer.
  private static func rateMissing(
    _ table: RateTable?, _ missing: [(currency: Currency, pointer: String)]
  ) -> RPCError {
    let codes = missing.map(\.currency).sorted().map(\.code)
    return RPCError(
      .rateMissing, "there is no exchange rate for \(codes.joined(separator: " and "))",
      pointer: table == nil ? nil : missing.first?.pointer,
      hint: table == nil ? "“rates/set” sets exchange rates" : "“rates/set” sets the rates with it", currencies: codes
    )
  }

  /// The rates of a request, as they are stored.
  private func requestedRates(_ params: RatesSetParams, _ today: CivilDay) throws(RPCError) -> ExchangeRates {
    let table: RateTable
    do throws(Refusal) {
      table = try RateTable(typedBase: params.base, date: params.date, rates: params.rates)
    } catch { throw RPCError(error, hint: error.rule == .form ? SubscriptionsService.codesHint : nil) }
    // It may already be tomorrow where the rates come from.
    let latest = today.advanced(by: 1)
    guard params.date <= latest else {
      throw RPCError(
        .invalidParams, "the day is in the future: \(params.date)", pointer: "/date", allowed: "a day up to \(latest)")
    }
    return ExchangeRates(table)
  }

  private func storedRates(_ context: Context) throws(RPCError) -> (rates: ExchangeRates, record: Record)? {
    guard let record = try context.snapshot().record(ExchangeRates.singleID, in: ExchangeRates.collection) else {
      return nil
    }
    return (try context.decode(ExchangeRates.self, record), record)
  }

  /// Refuses an edit based on a revision since which the rates have changed.
  private func checkBase(
    _ base: Int?, _ old: (rates: ExchangeRates, record: Record)?, yours: ExchangeRates?,
    _ context: Context
  ) throws(RPCError) {
    let present = try context.storeRevision()
    guard let base else { return }
    let isStale =
      if let old { old.record.revision > base } else { try wereRatesDeleted(since: base, present, context) }
    guard isStale || base > present else { return }
    throw RPCError(
      .conflict, "the exchange rates have changed since revision \(base)", pointer: "/revision",
      hint: "read them again and repeat the edit",
      conflict: ConflictVersions(current: old.map { jsonValue($0.rates) }, yours: yours.map { jsonValue($0) }))
  }

  /// Whether the rates were deleted since a revision; true when that is too long ago to tell.
  private func wereRatesDeleted(since base: Int, _ present: Int, _ context: Context) throws(RPCError) -> Bool {
    guard base < present else { return false }
    let store = try context.folder.openStore()
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

enum ConversionLimits {
  static let amounts = Decimal(-99_999_999_999_999)...Decimal(99_999_999_999_999)
  static let allowed = "a decimal from \(amounts.lowerBound) to \(amounts.upperBound)"
}
