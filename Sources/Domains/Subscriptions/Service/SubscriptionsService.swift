import DomainKit
import Reminders
import Subscriptions

/// Serves subscriptions, charges, budgets, insights and money. Its caches change no answer.
package final class SubscriptionsService {
  private var bookMemory = Projected<SubscriptionBook>()
  /// The user's exchange rates; a cached nil means that there are none.
  var rates = RevisionCache<RateTable?>()

  private var remembered = RevisionCache<(days: DayContext, inputs: PlanInputs, candidates: RememberedCandidates)>()

  package init() {}

  package static var reminderTitle: (source: ReminderSource, title: String)? { (.subscriptions, "Subscriptions") }

  package func book(_ context: Context) throws(RPCError) -> SubscriptionBook { try bookMemory.current(context) }

  /// The reminder candidates. Budgets warn with premium only, like their status.
  package func reminders(_ context: Context) throws(RPCError) -> [RememberedCandidates] {
    let inputs = try PlanInputs(context)
    if let known = remembered.latest(context.folder), known.days !== context.days || known.inputs != inputs {
      remembered = RevisionCache()
    }
    let present = try remembered.current(
      context, [Subscription.collection, Budget.collection, ExchangeRates.collection]
    ) {
      () throws(RPCError) in
      (context.days, inputs, RememberedCandidates(try subscriptionReminders(inputs, context)))
    }
    return [present.candidates]
  }

  package func gives(_ reminder: ReminderID, _ context: Context) throws(RPCError) -> Bool {
    guard reminder.source == .subscriptions else { return false }
    return try subscriptionReminders(PlanInputs(context), context).gives(reminder)
  }

  /// What reminders depend on besides the stored records and the day.
  private struct PlanInputs: Equatable {
    let leadDays: [Int]
    let time: WallTime
    let hasAccess: Bool
    let locale: String?

    init(_ context: Context) throws(RPCError) {
      let settings = try context.folder.settingsInForce().value
      (leadDays, time) = (settings.reminderDays, settings.reminderTime)
      (hasAccess, locale) = (context.hasPremiumAccess, context.locale)
    }
  }

  private func subscriptionReminders(
    _ inputs: PlanInputs, _ context: Context
  ) throws(RPCError) -> SubscriptionReminders {
    SubscriptionReminders(
      try book(context).subscriptions, budgets: inputs.hasAccess ? try budgets(nil, context) : [],
      leadDays: inputs.leadDays, time: inputs.time, zone: context.days.zone, hasAccess: inputs.hasAccess,
      style: inputs.locale.flatMap(AmountStyle.init(locale:)) ?? .english,
      rates: inputs.hasAccess ? try rateTable(context) : nil)
  }

  /// The rates to convert totals to a currency; nil when no currency is given.
  ///
  /// - Throws: `rateMissing` when there are no rates at all.
  func conversion(
    to code: String?, pointer: String, _ context: Context
  ) throws(RPCError) -> (rates: RateTable, currency: Currency)? {
    guard let code else { return nil }
    let currency = try SubscriptionsService.listedCurrency(code, pointer: pointer)
    guard let rates = try rateTable(context) else {
      throw RPCError(
        .rateMissing, "there are no exchange rates", pointer: pointer, hint: "“rates/set” sets exchange rates",
        currencies: [code])
    }
    return (rates, currency)
  }
}

extension SubscriptionBook: Projection {
  package static let collections = [Subscription.collection]
  package static let followedChanges = 256

  package static func isSlow(_ source: ProjectionSource) -> Bool { false }

  package init(_ source: ProjectionSource) {
    let records = source.snapshot.records(in: Subscription.collection)
    self.init(records.compactMap { source.readable($0) }, revision: source.snapshot.revision)
  }

  package mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) {
    var present: [EntityID: Subscription?] = [:]
    for change in changes {
      let record = source.snapshot.record(change.id, in: Subscription.collection)
      present[change.id] = .some(record.flatMap { source.readable($0) })
    }
    follow(to: source.snapshot.revision, present)
  }
}
