import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Premium
import Subscriptions
import Values

extension Session {
  func subscriptionsAdd(
    _ params: SubscriptionsAddParams, _ call: inout Call
  ) throws(RPCError) -> SubscriptionsAddResult {
    var subscription = try params.subscription(
      id: params.id ?? options.newID(), today: today, currency: presentSettings.currency, now: now())
    subscription.tidy()
    // What is there already is not held to what premium allows now.
    if try known(params) == nil {
      var names = params.amount == nil ? [:] : Session.priceNames(0)
      if params.share != nil { names.merge(Session.shareNames(0)) { name, _ in name } }
      try check(subscription, since: nil, names: names)
    }
    let similar = try similarNames(to: subscription)
    let (stored, isNew, revision) = try create(subscription, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params)
    }
    if isNew { call.afterwards { $0.planReminders() } }
    let state = SubscriptionState(try plan(of: stored), day: today)
    return SubscriptionsAddResult(
      subscription: stored, state: state, created: isNew, similar: similar, revision: revision)
  }

  func subscriptionsUpdate(
    _ params: SubscriptionsUpdateParams, _ call: inout Call
  ) throws(RPCError) -> ChangedSubscription {
    let record = try record(of: DaybookProtocol.Subscription.self, params.id)
    let old = try decode(DaybookProtocol.Subscription.self, record)
    let (new, names) = try params.applied(to: old, today: today)
    return try store(
      new, replacing: old, record, basedOn: params.revision, names: names, isCorrection: true, &call)
  }

  func subscriptionsDelete(
    _ params: SubscriptionsDeleteParams, _ call: inout Call
  ) throws(RPCError) -> SubscriptionsDeleteResult {
    let (subscription, revision) = try delete(
      DaybookProtocol.Subscription.self, params.id, basedOn: params.revision, &call)
    call.afterwards { $0.planReminders() }
    return SubscriptionsDeleteResult(subscription: subscription, revision: revision)
  }

  func subscriptionsGet(_ params: SubscriptionsGetParams) throws(RPCError) -> SubscriptionsGetResult {
    let record = try record(of: DaybookProtocol.Subscription.self, params.id)
    let subscription = try decode(DaybookProtocol.Subscription.self, record)
    let state = SubscriptionState(try plan(of: subscription), day: params.day ?? today)
    return SubscriptionsGetResult(subscription: subscription, state: state, revision: try revision())
  }

  /// Stores what an edit made of a subscription, if all rules allow it, and tells what it is then. `names` says how the
  /// request calls what has another pointer in a subscription; a correction of what was typed wrongly may take away charges
  /// that were marked as paid, but for an end.
  func store(
    _ new: DaybookProtocol.Subscription, replacing old: DaybookProtocol.Subscription, _ record: Record,
    basedOn base: Int?, names: [String: String] = [:], isCorrection: Bool = false, _ call: inout Call
  ) throws(RPCError) -> ChangedSubscription {
    var new = new
    new.tidy()
    let plan =
      new == old
      ? try self.plan(of: old) : try check(new, since: old, names: names, isCorrection: isCorrection)
    let (stored, revision) = try update(record, from: old, to: new, basedOn: base, &call)
    if new != old { call.afterwards { $0.planReminders() } }
    return ChangedSubscription(
      subscription: stored, state: SubscriptionState(plan, day: today), revision: revision)
  }

  /// The subscription that a repeated request has added; nil when there is none.
  private func known(_ params: SubscriptionsAddParams) throws(RPCError) -> DaybookProtocol.Subscription? {
    guard let id = params.id, let record = try snapshot().record(id, in: DaybookProtocol.Subscription.collection) else {
      return nil
    }
    let known = try decode(DaybookProtocol.Subscription.self, record)
    return known.hasWhat(params) ? known : nil
  }

  /// Refuses a subscription that no rule allows, or that only premium does; what was so already may stay.
  @discardableResult
  private func check(
    _ new: DaybookProtocol.Subscription, since old: DaybookProtocol.Subscription?, names: [String: String],
    isCorrection: Bool = false
  ) throws(RPCError) -> Subscriptions.Subscription {
    let plan: Subscriptions.Subscription
    do throws(SubscriptionProblem) {
      plan = try new.checkedPlan()
      try new.checkCurrencies(since: old)
    } catch {
      throw RPCError(
        error.at(names[error.pointer] ?? error.pointer),
        hint: error.pointer.hasSuffix("/currency") ? Session.codesHint : nil)
    }
    let before = old.flatMap { try? Subscriptions.Subscription($0) }
    let lost = SubscriptionProblem.payment(leftOutOf: plan, since: before, isCorrection: isCorrection)
    if let problem = lost?.ofWire {
      throw RPCError(
        problem.at(names[problem.pointer] ?? problem.pointer),
        hint: before == nil ? nil : "“charges/reset” takes back that a charge was paid or shifted")
    }
    if let days = new.reminderDays, days != old?.reminderDays, !days.isEmpty, days != [1] {
      try require(.reminderTiming, pointer: "/reminderDays")
    }
    return plan
  }

  /// What a request calls a price that has a place among others, and too many of them.
  static func priceNames(_ place: Int) -> [String: String] {
    ["amount", "currency", "from"].reduce(into: ["/prices": "/amount"]) { $0["/prices/\(place)/\($1)"] = "/\($1)" }
  }

  /// What a request calls a share that has a place among others, and too many of them.
  static func shareNames(_ place: Int) -> [String: String] {
    ["/shares": "/share", "/shares/\(place)/numerator": "/share/numerator", "/shares/\(place)/from": "/from"]
  }

  /// What a stored subscription says to the rules.
  func plan(of stored: DaybookProtocol.Subscription) throws(RPCError) -> Subscriptions.Subscription {
    do throws(SubscriptionProblem) { return try Subscriptions.Subscription(stored) } catch {
      throw RPCError(
        .storeUnavailable, "the subscription \(stored.id) cannot be understood: \(error.message)",
        hint: "a newer version of daybook may have written it; use that one")
    }
  }

  /// Those that go on and may be the same thing, in the order they were added.
  private func similarNames(to subscription: DaybookProtocol.Subscription) throws(RPCError) -> [EntityID] {
    let name = NameFolding.foldService(subscription.name)
    let today = today
    return try subscriptionBook().plans.filter {
      $0.id != subscription.id && $0.status(on: today) != .cancelled && NameFolding.foldService($0.name) == name
    }.map(\.id)
  }
}
