import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Subscriptions
import Values

extension Session {
  /// All subscriptions of the present, for the rules.
  func subscriptionBook() throws(RPCError) -> SubscriptionBook {
    let snapshot = try snapshot()
    if let known = subscriptions, known.revision == snapshot.revision { return known }
    followSubscriptions(to: snapshot)
    if let known = subscriptions { return known }
    let stored = snapshot.records(in: Subscription.collection).compactMap { readSubscription($0) }
    let book = SubscriptionBook(stored, revision: snapshot.revision)
    subscriptions = book
    return book
  }

  /// How many changes are followed one by one; after more everything is read again.
  private static let followedChanges = 256

  /// Brings what is remembered up to a snapshot, or drops it where that is not known to be possible.
  private func followSubscriptions(to snapshot: Snapshot) {
    // The book itself is not held on to here: it would be copied as a whole when it follows.
    guard let revision = subscriptions?.revision else { return }
    guard revision < snapshot.revision,
      let page = try? store?.changes(since: revision, limit: Session.followedChanges),
      page.isComplete, page.revision == snapshot.revision,
      // An import is one change of any length: following each of its records would take much longer than reading all.
      page.records.count <= Session.followedChanges
    else {
      subscriptions = nil
      return
    }
    var changes: [EntityID: Subscription?] = [:]
    for change in page.records where change.collection == Subscription.collection {
      let record = snapshot.record(change.id, in: Subscription.collection)
      changes[change.id] = .some(record.flatMap { readSubscription($0) })
    }
    subscriptions?.follow(to: snapshot.revision, changes)
  }

  /// A subscription that is stored; nil when only a later version understands it.
  private func readSubscription(_ record: Record) -> Subscription? {
    do throws(RPCError) { return try decode(Subscription.self, record) } catch {
      log.warning(.store, "a subscription is left out: \(unquoted: error.message)")
      return nil
    }
  }
}

extension Session {
  /// The rates to tell totals in a currency by; nil when none is asked for.
  ///
  /// - Throws: `rateMissing` when one is asked for and there are no rates at all.
  func conversion(
    to code: String?, pointer: String
  ) throws(RPCError) -> (rates: RateTable, currency: Currency)? {
    guard let code else { return nil }
    let currency = try Session.listedCurrency(code, pointer: pointer)
    guard let rates = try rateTable() else {
      throw RPCError(
        .rateMissing, "there are no exchange rates", pointer: pointer, hint: "“rates/set” takes exchange rates",
        currencies: [code])
    }
    return (rates, currency)
  }
}
