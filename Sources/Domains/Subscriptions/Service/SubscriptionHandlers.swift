import DomainKit
import Premium
import Subscriptions

extension SubscriptionsService {
  func subscriptionsAdd(
    _ params: SubscriptionsAddParams, _ context: inout Context
  ) throws(RPCError) -> SubscriptionsAddResult {
    var subscription = try params.subscription(
      id: params.id ?? context.newID(), today: context.today, currency: try context.settings().currency,
      now: context.now)
    subscription.tidy()
    // A repeated request is not checked against today's premium.
    if try context.find(Subscription.self, params.id)?.matches(params) != true {
      var names = params.amount == nil ? [:] : SubscriptionsService.priceNames(0)
      if params.share != nil { names.merge(SubscriptionsService.shareNames(0)) { name, _ in name } }
      try check(subscription, since: nil, names: names, context)
    }
    let similar = try book(context).similar(to: subscription, today: context.today)
    let (stored, isNew, revision) = try context.create(subscription, isNewID: params.id == nil) { $0.matches(params) }
    let state = SubscriptionState(try supported(stored), day: context.today)
    return SubscriptionsAddResult(
      subscription: stored, state: state, created: isNew, similarIds: similar, revision: revision)
  }

  func subscriptionsUpdate(
    _ params: SubscriptionsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    let record = try context.record(of: Subscription.self, params.id)
    let old = try context.decode(Subscription.self, record)
    let (new, names) = try params.applied(to: old, today: context.today)
    return try store(
      new.restoringPaidAmounts(of: old), replacing: old, record, basedOn: params.revision, names: names,
      isCorrection: true, &context)
  }

  func subscriptionsGet(_ params: SubscriptionsGetParams, _ context: inout Context) throws(RPCError)
    -> SubscriptionsGetResult
  {
    let subscription = try context.entity(Subscription.self, params.id)
    let state = SubscriptionState(try supported(subscription), day: params.day ?? context.today)
    return SubscriptionsGetResult(subscription: subscription, state: state, revision: try context.storeRevision())
  }

  /// Stores an edited subscription if the rules allow it. `names` maps pointers of the subscription to those of the
  /// request; a correction may remove paid charges, except by an end.
  func store(
    _ new: Subscription, replacing old: Subscription, _ record: Record,
    basedOn base: Int?, names: [String: String] = [:], isCorrection: Bool = false, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    var new = new
    new.tidy()
    if SubscriptionRules.formRefusal(of: new) == nil, SubscriptionRules.formRefusal(of: old) == nil {
      new = new.keepingPayments(since: old)
    }
    if new == old {
      _ = try supported(old)
    } else {
      try check(new, since: old, names: names, isCorrection: isCorrection, context)
    }
    let (stored, revision) = try context.update(record, from: old, to: new, basedOn: base)
    return ChangedSubscription(
      subscription: stored, state: SubscriptionState(new, day: context.today), revision: revision)
  }

  /// Refuses a subscription that breaks a rule or needs premium; what was so before may stay.
  private func check(
    _ new: Subscription, since old: Subscription?, names: [String: String],
    isCorrection: Bool = false, _ context: Context
  ) throws(RPCError) {
    do throws(Refusal) {
      if let problem = SubscriptionRules.refusals(of: new, since: old).first { throw problem }
      try new.checkCurrencies(since: old)
    } catch {
      throw RPCError(
        error, names: names,
        hint: error.pointer.hasSuffix("/currency") ? SubscriptionsService.codesHint : nil)
    }
    let before = old.flatMap { SubscriptionRules.formRefusal(of: $0) == nil ? $0.tidied : nil }
    if let problem = SubscriptionRules.lostPayment(leftOutOf: new, since: before, isCorrection: isCorrection) {
      throw RPCError(
        problem, names: names,
        hint: before == nil ? nil : "“charges/reset” undoes payments and shifts")
    }
    if let refusal = SubscriptionRules.markRefusal(of: new, since: before, today: context.today) {
      throw RPCError(refusal, names: names)
    }
    if let days = new.reminderDays, days != old?.reminderDays, !days.isEmpty, days != [1] {
      try context.require(.reminderTiming, pointer: "/reminderDays")
    }
  }

  /// Maps pointers of a price to those of the request. Without `namesRange` the request cannot state a range, so that a
  /// violated one is the amount's fault.
  static func priceNames(_ place: Int, namesRange: Bool = false) -> [String: String] {
    ["amount", "currency", "from", "least", "most"].reduce(into: ["/prices": "/amount"]) {
      let isOfRange = $1 == "least" || $1 == "most"
      $0["/prices/\(place)/\($1)"] = isOfRange && !namesRange ? "/amount" : "/\($1)"
    }
  }

  /// Maps pointers of a share to those of the request.
  static func shareNames(_ place: Int) -> [String: String] {
    ["/shares": "/share", "/shares/\(place)/numerator": "/share/numerator", "/shares/\(place)/from": "/from"]
  }

  /// Throws for a stored subscription that the rules cannot understand.
  func supported(_ stored: Subscription) throws(RPCError) -> Subscription {
    guard let problem = SubscriptionRules.formRefusal(of: stored) else { return stored }
    throw RPCError(
      .storeUnavailable, "the subscription \(stored.id) cannot be read: \(problem.message)",
      hint: "a newer version of daybook may have written it; use that one")
  }
}
