import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Premium
import Subscriptions
import Values

extension SubscriptionsService {
  func subscriptionsAdd(
    _ params: SubscriptionsAddParams, _ context: inout Context
  ) throws(RPCError) -> SubscriptionsAddResult {
    var subscription = try params.subscription(
      id: params.id ?? context.newID(), today: context.today, currency: try context.settings().currency,
      now: context.now)
    subscription.tidy()
    // What is there already is not held to what premium allows now.
    if try known(params, context) == nil {
      var names = params.amount == nil ? [:] : SubscriptionsService.priceNames(0)
      if params.share != nil { names.merge(SubscriptionsService.shareNames(0)) { name, _ in name } }
      try check(subscription, since: nil, names: names, context)
    }
    let similar = try book(context).similar(to: subscription, today: context.today)
    let (stored, isNew, revision) = try context.create(subscription, isNewID: params.id == nil) { $0.matches(params) }
    let state = SubscriptionState(try understood(stored), day: context.today)
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
      new.rememberingPayments(of: old), replacing: old, record, basedOn: params.revision, names: names,
      isCorrection: true,
      &context)
  }

  func subscriptionsGet(_ params: SubscriptionsGetParams, _ context: inout Context) throws(RPCError)
    -> SubscriptionsGetResult
  {
    let record = try context.record(of: Subscription.self, params.id)
    let subscription = try context.decode(Subscription.self, record)
    let state = SubscriptionState(try understood(subscription), day: params.day ?? context.today)
    return SubscriptionsGetResult(subscription: subscription, state: state, revision: try context.storeRevision())
  }

  /// Stores what an edit made of a subscription, if all rules allow it, and tells what it is then. `names` says how the
  /// request calls what has another pointer in a subscription; a correction of what was typed wrongly may take away charges
  /// that were marked as paid, but for an end.
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
      _ = try understood(old)
    } else {
      try check(new, since: old, names: names, isCorrection: isCorrection, context)
    }
    let (stored, revision) = try context.update(record, from: old, to: new, basedOn: base)
    return ChangedSubscription(
      subscription: stored, state: SubscriptionState(new, day: context.today), revision: revision)
  }

  /// The subscription that a repeated request has added; nil when there is none.
  private func known(_ params: SubscriptionsAddParams, _ context: Context) throws(RPCError) -> Subscription? {
    guard let id = params.id, let record = try context.snapshot().record(id, in: Subscription.collection) else {
      return nil
    }
    let known = try context.decode(Subscription.self, record)
    return known.matches(params) ? known : nil
  }

  /// Refuses a subscription that no rule allows, or that only premium does; what was so already may stay.
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
        hint: before == nil ? nil : "“charges/reset” takes back that a charge was paid or shifted")
    }
    if let refusal = SubscriptionRules.markRefusal(of: new, since: before, today: context.today) {
      throw RPCError(refusal, names: names)
    }
    if let days = new.reminderDays, days != old?.reminderDays, !days.isEmpty, days != [1] {
      try context.require(.reminderTiming, pointer: "/reminderDays")
    }
  }

  /// What a request calls a price that has a place among others, and too many of them. One that cannot name a range is wrong in
  /// its amount where that leaves the range there is.
  static func priceNames(_ place: Int, namesRange: Bool = false) -> [String: String] {
    ["amount", "currency", "from", "least", "most"].reduce(into: ["/prices": "/amount"]) {
      let isOfRange = $1 == "least" || $1 == "most"
      $0["/prices/\(place)/\($1)"] = isOfRange && !namesRange ? "/amount" : "/\($1)"
    }
  }

  /// What a request calls a share that has a place among others, and too many of them.
  static func shareNames(_ place: Int) -> [String: String] {
    ["/shares": "/share", "/shares/\(place)/numerator": "/share/numerator", "/shares/\(place)/from": "/from"]
  }

  /// A stored subscription that the rules can make sense of.
  func understood(_ stored: Subscription) throws(RPCError) -> Subscription {
    guard let problem = SubscriptionRules.formRefusal(of: stored) else { return stored }
    throw RPCError(
      .storeUnavailable, "the subscription \(stored.id) cannot be understood: \(problem.message)",
      hint: "a newer version of daybook may have written it; use that one")
  }
}
