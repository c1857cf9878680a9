import DomainKit
import Subscriptions

extension SubscriptionsService {
  func subscriptionsPause(
    _ params: SubscriptionsPauseParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    let today = context.today
    let names = { (new: Subscription) in SubscriptionsService.pauseNames((new.pauses ?? []).count) }
    return try change(params.id, basedOn: params.revision, names: names, &context) { plan throws(RPCError) in
      let from = params.from ?? plan.dayKeepingPayments(today, before: params.until)
      if let until = params.until, until <= from {
        throw RPCError(
          .invalidParams, "the pause ends before it begins", pointer: "/until", allowed: "a day after \(from)")
      }
      try SubscriptionsService.refuse(plan, from)
      return plan.pausing(from: from, until: params.until)
    }
  }

  /// Maps pointers of pauses to those of the request.
  private static func pauseNames(_ count: Int) -> [String: String] {
    (0..<count).reduce(into: ["/pauses": "/from"]) { names, place in
      for end in ["from", "until"] { names["/pauses/\(place)/\(end)"] = "/\(end)" }
    }
  }

  func subscriptionsResume(
    _ params: SubscriptionsResumeParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    let today = context.today
    let day = params.on ?? today
    return try change(params.id, basedOn: params.revision, &context) { plan throws(RPCError) in
      try SubscriptionsService.refuse(plan, day)
      return plan.resuming(on: day, today: today)
    }
  }

  func subscriptionsCancel(
    _ params: SubscriptionsCancelParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    if params.at != nil, params.end != nil {
      throw RPCError(
        .invalidParams, "the end is given twice", pointer: "/end", allowed: "either “at” or “end”")
    }
    let today = context.today
    return try change(params.id, basedOn: params.revision, &context) { plan throws(RPCError) in
      var plan = plan
      plan.replacedById = params.replacedById ?? plan.replacedById
      guard params.end == nil else { return plan.cancelled(from: params.end) }
      // What was over before today stays so: a later end would charge for the days in between.
      if let end = plan.end, end < today { return plan }
      let going = plan.cancelled(from: nil)
      let end: CivilDay
      switch params.at {
      case .periodEnd: end = going.periodEnd(today: today)
      case .contractEnd:
        guard let deadline = plan.contract?.deadline(onOrAfter: today) else {
          throw RPCError(
            .invalidParams, "there is no contract with a later end", pointer: "/at",
            allowed: "“today” or “periodEnd”, or a day as “end”")
        }
        end = deadline.end.advanced(by: 1)
      // One that has not started ends before it does.
      default: end = max(today, plan.start)
      }
      return plan.cancelled(from: going.dayKeepingPayments(end))
    }
  }

  func subscriptionsReactivate(
    _ params: SubscriptionsReactivateParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    let day = params.on ?? context.today
    let names = { (_: Subscription) in ["/pauses": "/on"] }
    return try change(params.id, basedOn: params.revision, names: names, &context) { plan throws(RPCError) in
      let reactivated = plan.reactivating(on: day)
      if reactivated.status(on: day) == .cancelled { try SubscriptionsService.refuse(reactivated, day) }
      return reactivated
    }
  }

  func subscriptionsChangePrice(
    _ params: SubscriptionsChangePriceParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    let from = params.from ?? context.today
    let names = { (new: Subscription) in
      SubscriptionsService.priceNames(new.prices.index(on: from) ?? 0, namesRange: true)
    }
    return try change(params.id, basedOn: params.revision, names: names, &context) { plan throws(RPCError) in
      try SubscriptionsService.changingPrice(
        of: plan, to: params.amount, params.currency, least: params.least, most: params.most, from: from)
    }
  }

  /// The subscription with another price from a day on, in the currency of that day unless one is named.
  private static func changingPrice(
    of plan: Subscription, to amount: Decimal, _ code: String?, least: Decimal? = nil, most: Decimal? = nil,
    from: CivilDay
  ) throws(RPCError) -> Subscription {
    let code = code ?? plan.price(on: from).currency.code
    do throws(Refusal) { try Currency.checkForm(code, "/currency") } catch { throw RPCError(error) }
    return plan.changingPrice(to: Money(amount: amount, currency: code), least: least, most: most, from: from)
  }

  func subscriptionsChangeShare(
    _ params: SubscriptionsChangeShareParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    let from = params.from ?? context.today
    let share = params.share ?? .whole
    do throws(Refusal) { try share.checkForm("/share") } catch { throw RPCError(error) }
    let names = { (new: Subscription) in
      var names = SubscriptionsService.shareNames(new.shares?.index(on: from) ?? 0)
      // The parts of the household may leave no room for it.
      for place in (new.household ?? []).indices { names["/household/\(place)/numerator"] = "/share/numerator" }
      return names
    }
    return try change(params.id, basedOn: params.revision, names: names, &context) { plan in
      plan.changingShare(to: share, from: from)
    }
  }

  func subscriptionsChangeCycle(
    _ params: SubscriptionsChangeCycleParams, _ context: inout Context
  ) throws(RPCError) -> ChangedSubscription {
    do throws(Refusal) { try params.cycle.checkForm("/cycle") } catch { throw RPCError(error) }
    let cycle = params.cycle.tidied
    if params.amount == nil, params.currency != nil {
      throw RPCError(
        .invalidParams, "there is a currency without a price", pointer: "/currency", allowed: "“amount” beside it")
    }
    let today = context.today
    var from = params.from ?? today
    let names = { (new: Subscription) in
      var names = params.amount == nil ? [:] : SubscriptionsService.priceNames(new.prices.index(on: from) ?? 0)
      // The currency changes with a dropped planned cycle.
      for place in new.prices.indices where names["/prices/\(place)/currency"] == nil {
        names["/prices/\(place)/currency"] = "/from"
      }
      return names.merging(["/formerTerms": "/cycle", "/cycle": "/from"]) { name, _ in name }
    }
    return try change(params.id, basedOn: params.revision, names: names, &context) { plan throws(RPCError) in
      from = params.from ?? plan.nextCycleDay(today: today)
      if let end = plan.end, from >= end { throw SubscriptionsService.over(since: end) }
      let changed = plan.changingCycle(
        to: cycle, anchor: params.anchor ?? plan.anchor(of: cycle, from: from), from: from, today: today)
      guard let amount = params.amount else { return changed }
      // The currency defaults to that of the dropped planned cycle.
      let currency = params.currency ?? plan.price(on: from).currency.code
      return try SubscriptionsService.changingPrice(of: changed, to: amount, currency, from: from)
    }
  }

  /// Applies a change to a stored subscription and stores it. `names` maps pointers of the new subscription to those of
  /// the request, and `pointer` is that of its id.
  func change(
    _ id: EntityID, basedOn base: Int?, pointer: String = "/id",
    names: (Subscription) -> [String: String] = { _ in [:] }, _ context: inout Context,
    _ change: (Subscription) throws(RPCError) -> Subscription
  ) throws(RPCError) -> ChangedSubscription {
    let record = try context.record(of: Subscription.self, id, pointer: pointer)
    let old = try context.decode(Subscription.self, record)
    let new = try change(try supported(old).tidied)
    return try store(new, replacing: old, record, basedOn: base, names: names(new), &context)
  }

  /// Refuses a change on a day on which the subscription is over.
  private static func refuse(_ plan: Subscription, _ day: CivilDay) throws(RPCError) {
    guard plan.status(on: day) == .cancelled else { return }
    if let end = plan.end { throw over(since: end) }
    throw RPCError(
      .subscriptionOver, "its last charge is on \(plan.lastDay ?? plan.anchor), and it is over after that",
      pointer: "/id",
      hint: "“subscriptions/changeCycle” starts another cycle")
  }

  private static func over(since end: CivilDay) -> RPCError {
    RPCError(
      .subscriptionOver, "the subscription has been over since \(end)", pointer: "/id",
      hint: "“subscriptions/reactivate” continues it")
  }
}
