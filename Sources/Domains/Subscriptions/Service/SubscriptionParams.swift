import CivilTime
import DaybookProtocol
import JSONRPC
import Subscriptions
import Values

extension SubscriptionsAddParams {
  /// The subscription that is asked for, with what is usual where nothing is said.
  func subscription(
    id: EntityID, today: CivilDay, currency usual: String, now: Instant
  ) throws(RPCError) -> Subscription {
    if prices != nil, amount != nil || currency != nil {
      throw RPCError(
        .invalidParams, "the price is there twice", pointer: amount != nil ? "/amount" : "/currency",
        allowed: "either “amount” and “currency” or “prices”")
    }
    guard let prices = prices ?? amount.map({ [SubscriptionPrice(amount: $0, currency: currency ?? usual)] }) else {
      throw RPCError(
        .invalidParams, "it has no price", pointer: "/amount",
        allowed: "a decimal above 0, at most 9999999999; 0 with a trial")
    }
    if share != nil, shares != nil { throw RPCError.sharedTwice }
    let cycle = cycle ?? BillingCycle(kind: .recurring, every: 1, unit: .month)
    // When it begins is counted from the cycle: one that no rule allows is refused before that.
    do throws(Refusal) { try cycle.checkForm("/cycle") } catch { throw RPCError(error) }
    let beginning = beginning(cycle, today: today)
    let anchor = anchor ?? trialEnd ?? start ?? today
    let firstCharge = cycle.weekend?.day(for: anchor) ?? anchor
    var subscription = Subscription(
      id: id, name: name, category: .other, prices: prices, cycle: cycle, anchor: anchor,
      start: beginning?.start ?? min(today, anchor, firstCharge, trialEnd?.advanced(by: -1) ?? today),
      shares: share.map { [SubscriptionShare($0)] }, marks: beginning?.marks, createdAt: now, updatedAt: now)
    subscription.patch(self)
    return subscription
  }

  /// When it begins where a coming charge is named, and nothing that was before. Where it ends, or is free, before that
  /// charge's term, it has begun by now and is charged on none of the days of its cycle until then.
  private func beginning(_ cycle: BillingCycle, today: CivilDay) -> KnownBeginning? {
    // Off a weekend it comes on another day than it is counted from.
    guard start == nil, let named = anchor, case let anchor = cycle.weekend?.day(for: named) ?? named,
      formerTerms == nil,
      marks.map({ $0.allSatisfy { $0.occurrence >= anchor } }) ?? true,
      let beginning = KnownBeginning(
        nextCharge: anchor, Schedule(anchor: named, cycle: cycle.tidied), today: today)
    else { return nil }
    let isBegun = [trialEnd, end, contract?.end.advanced(by: 1)].contains { $0.map { $0 <= beginning.start } ?? false }
    guard isBegun else { return beginning }
    guard marks == nil else { return nil }
    return KnownBeginning(
      running: min(today, trialEnd?.advanced(by: -1) ?? today), free: trialEnd, until: end, nextCharge: anchor,
      Schedule(anchor: named, cycle: cycle.tidied))
  }
}

extension Subscription {
  /// Whether it has everything that a request to add it says.
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
  /// What the request makes of a subscription, and how it calls the price and the share of today, where it names them alone.
  func applied(
    to old: Subscription, today: CivilDay
  ) throws(RPCError) -> (new: Subscription, names: [String: String]) {
    var new = old
    new.patch(self)
    let priced = try price(&new, today: today)
    let shared = try share(&new, today: today)
    // Beside another category it would say nothing.
    if let category, category != .other, ownCategory == .absent { new.ownCategory = nil }
    let names = priced.map { SubscriptionsService.priceNames($0) } ?? [:]
    return (new, names.merging(shared.map(SubscriptionsService.shareNames) ?? [:]) { name, _ in name })
  }

  /// Changes the price that holds today, if it is given alone.
  private func price(_ new: inout Subscription, today: CivilDay) throws(RPCError) -> Int? {
    if prices != nil, amount != nil || currency != nil {
      throw RPCError(
        .invalidParams, "the price is there twice", pointer: amount != nil ? "/amount" : "/currency",
        allowed: "either “amount” and “currency” or “prices”")
    }
    guard amount != nil || currency != nil else { return nil }
    guard let place = new.prices.place(on: today) else { return nil }
    if let amount { new.prices[place].amount = amount }
    if let currency { new.prices[place].currency = currency }
    return place
  }

  /// Changes the share that holds today, if it is given alone.
  private func share(_ new: inout Subscription, today: CivilDay) throws(RPCError) -> Int? {
    guard share != .absent else { return nil }
    if shares != nil { throw RPCError.sharedTwice }
    let whole = SubscriptionShare(numerator: 1, denominator: 1)
    var all = new.shares ?? [whole]
    guard let place = all.place(on: today) else { return nil }
    let right = share.value.map { SubscriptionShare($0) } ?? whole
    (all[place].numerator, all[place].denominator) = (right.numerator, right.denominator)
    new.shares = all
    return place
  }
}

extension RPCError {
  fileprivate static let sharedTwice = RPCError(
    .invalidParams, "the share is there twice", pointer: "/share", allowed: "either “share” or “shares”")
}
