import DomainKit
import Reminders
import Subscriptions

/// Serves subscriptions, charges, budgets, insights and money. Its caches change no answer.
package final class SubscriptionsService {
  private var bookMemory = RevisionCache<SubscriptionBook>()
  /// The user's exchange rates; a cached nil means that there are none.
  var rates = RevisionCache<RateTable?>()

  package init() {}

  /// With more changes than this, everything is read again.
  private static let followedChanges = 256

  package func book(_ context: Context) throws(RPCError) -> SubscriptionBook {
    let snapshot = try context.snapshot()
    return try bookMemory.current(
      context, [Subscription.collection], atMost: SubscriptionsService.followedChanges,
      follow: { book, records in
        var changes: [EntityID: Subscription?] = [:]
        for change in records {
          let record = snapshot.record(change.id, in: Subscription.collection)
          changes[change.id] = .some(record.flatMap { context.readable(Subscription.self, $0) })
        }
        book.follow(to: snapshot.revision, changes)
      },
      make: { () throws(RPCError) in SubscriptionBook(try context.all(Subscription.self), revision: snapshot.revision) }
    )
  }

  /// The reminder candidates; nil while the store cannot be read. Budgets warn with premium only, like their status.
  package func reminders(_ context: Context) -> (any ReminderCandidates)? {
    guard let book = try? book(context), let settings = try? context.settings() else { return nil }
    let access = context.hasPremiumAccess
    return SubscriptionReminders(
      book.subscriptions, budgets: access ? (try? budgets(nil, context)) ?? [] : [], leadDays: settings.reminderDays,
      time: settings.reminderTime, zone: context.days.zone, hasAccess: access,
      style: context.locale.flatMap(AmountStyle.init(locale:)) ?? .english,
      rates: access ? (try? rateTable(context)) ?? nil : nil)
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
