import DaybookProtocol
import JSONRPC
import Subscriptions

extension SubscriptionsAddParams {
  /// The subscription of a request, with defaults.
  func subscription(
    id: EntityID, today: CivilDay, currency defaultCurrency: String, now: Instant
  ) throws(RPCError) -> Subscription {
    if prices != nil, amount != nil || currency != nil {
      throw RPCError.pricedTwice(amount != nil ? "/amount" : "/currency")
    }
    guard let prices = prices ?? amount.map({ [SubscriptionPrice(amount: $0, currency: currency ?? defaultCurrency)] })
    else {
      throw RPCError(
        .invalidParams, "it has no price", pointer: "/amount",
        allowed: "a decimal above 0, at most 9999999999; 0 with a trial")
    }
    if share != nil, shares != nil { throw RPCError.sharedTwice }
    let cycle = cycle ?? BillingCycle(kind: .recurring, every: 1, unit: .month)
    // The start depends on the cycle: check that first.
    do throws(Refusal) { try cycle.checkForm("/cycle") } catch { throw RPCError(error) }
    let inferred = inferredStart(cycle, today: today)
    let anchor = anchor ?? trialEnd ?? start ?? today
    let firstCharge = cycle.weekend?.day(for: anchor) ?? anchor
    var subscription = Subscription(
      id: id, name: name, category: .other, prices: prices, cycle: cycle, anchor: anchor,
      start: inferred?.start ?? min(today, anchor, firstCharge, trialEnd?.advanced(by: -1) ?? today),
      shares: share.map { [SubscriptionShare($0)] }, marks: inferred?.marks, createdAt: now, updatedAt: now)
    subscription.patch(self)
    return subscription
  }

  /// The start of a subscription of which only the next charge is known. One that ends or is free before that charge's
  /// term has already started, and has no charge until then.
  private func inferredStart(_ cycle: BillingCycle, today: CivilDay) -> InferredStart? {
    // A weekend rule moves the charge off the anchor.
    guard start == nil, let named = anchor, case let anchor = cycle.weekend?.day(for: named) ?? named,
      formerTerms == nil,
      marks.map({ $0.allSatisfy { $0.occurrence >= anchor } }) ?? true,
      let inferred = InferredStart(nextCharge: anchor, Schedule(anchor: named, cycle: cycle.tidied), today: today)
    else { return nil }
    let hasBegun = [trialEnd, end, contract?.end.advanced(by: 1)].contains { $0.map { $0 <= inferred.start } ?? false }
    guard hasBegun else { return inferred }
    guard marks == nil else { return nil }
    return InferredStart(
      running: min(today, trialEnd?.advanced(by: -1) ?? today), free: trialEnd, until: end, nextCharge: anchor,
      Schedule(anchor: named, cycle: cycle.tidied))
  }
}

extension Subscription {
  /// Whether it agrees with a request to add it.
  func matches(_ params: SubscriptionsAddParams) -> Bool {
    var asked = self
    if let share = params.share { asked.shares = [SubscriptionShare(share)] }
    if let amount = params.amount {
      asked.prices = [SubscriptionPrice(amount: amount, currency: params.currency ?? prices.first?.currency ?? "")]
    }
    asked.patch(params)
    asked.tidy()
    return asked == self
  }
}

extension SubscriptionsUpdateParams {
  /// The subscription after the update, and the pointers of today's price and share if the request names them alone.
  func applied(
    to old: Subscription, today: CivilDay
  ) throws(RPCError) -> (new: Subscription, names: [String: String]) {
    var new = old
    new.patch(self)
    let priced = try price(&new, today: today)
    let shared = try share(&new, today: today)
    // It belongs to the category `other` only.
    if let category, category != .other, ownCategory == .absent { new.ownCategory = nil }
    let names = priced.map { SubscriptionsService.priceNames($0) } ?? [:]
    return (new, names.merging(shared.map(SubscriptionsService.shareNames) ?? [:]) { name, _ in name })
  }

  /// Changes today's price, if the request names it alone.
  private func price(_ new: inout Subscription, today: CivilDay) throws(RPCError) -> Int? {
    if prices != nil, amount != nil || currency != nil {
      throw RPCError.pricedTwice(amount != nil ? "/amount" : "/currency")
    }
    guard amount != nil || currency != nil else { return nil }
    guard let place = new.prices.index(on: today) else { return nil }
    if let amount { new.prices[place].amount = amount }
    if let currency { new.prices[place].currency = currency }
    return place
  }

  /// Changes today's share, if the request names it alone.
  private func share(_ new: inout Subscription, today: CivilDay) throws(RPCError) -> Int? {
    guard share != .absent else { return nil }
    if shares != nil { throw RPCError.sharedTwice }
    let whole = SubscriptionShare(.whole)
    var all = new.shares ?? [whole]
    guard let place = all.index(on: today) else { return nil }
    let right = share.value.map { SubscriptionShare($0) } ?? whole
    (all[place].numerator, all[place].denominator) = (right.numerator, right.denominator)
    new.shares = all
    return place
  }
}

extension RPCError {
  fileprivate static func pricedTwice(_ pointer: String) -> RPCError {
    RPCError(
      .invalidParams, "the price is given twice", pointer: pointer,
      allowed: "either “amount” and “currency” or “prices”")
  }

  fileprivate static let sharedTwice = RPCError(
    .invalidParams, "the share is given twice", pointer: "/share", allowed: "either “share” or “shares”")
}
