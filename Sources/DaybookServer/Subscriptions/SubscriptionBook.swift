import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Subscriptions
import Values

/// The subscriptions of a revision, as they are stored and as the rules take them, in the order they were added. Dropping it
/// changes no answer.
struct SubscriptionBook {
  /// The revision that all of it is of.
  private(set) var revision: Int
  /// As they are stored; in the order they were added, those of one instant by id.
  private(set) var stored: [DaybookProtocol.Subscription] = []
  /// The same to the rules, in the same order.
  private(set) var plans: [Subscriptions.Subscription] = []
  /// Where each is.
  private var places: [EntityID: Int] = [:]

  /// How many changes are followed one by one; after more everything is read again.
  static let followedChanges = 256

  /// Reads all of them; `read` gives nil for one that only a later version understands, which counts for nothing here.
  init(_ snapshot: Snapshot, read: (Record) -> DaybookProtocol.Subscription?) {
    revision = snapshot.revision
    var found = snapshot.records(in: DaybookProtocol.Subscription.collection).compactMap(read)
    found.sort(by: SubscriptionBook.precedes)
    for subscription in found { append(subscription) }
    index()
  }

  /// Where a subscription is; nil when there is none with this id that can be understood.
  func place(of id: EntityID) -> Int? { places[id] }

  /// The currencies that ISO 4217 does not list, or no longer, of those that have prices in such.
  var unlistedCurrencies: [EntityID: Set<Currency>] {
    var unlisted: [EntityID: Set<Currency>] = [:]
    for plan in plans {
      for price in [plan.prices.first] + plan.prices.changes.map(\.price) where !price.currency.isListed {
        unlisted[plan.id, default: []].insert(price.currency)
      }
    }
    return unlisted
  }

  /// Goes over to a later revision by its changes.
  mutating func follow(to present: Int, _ changes: [EntityID: DaybookProtocol.Subscription?]) {
    revision = present
    for (id, subscription) in changes {
      guard let place = places[id] else {
        if let subscription { insert(subscription) }
        continue
      }
      // It was added when it was added; whatever else changed, its place stays.
      if let subscription, subscription.createdAt == stored[place].createdAt,
        let plan = try? Subscriptions.Subscription(subscription)
      {
        stored[place] = subscription
        plans[place] = plan
        continue
      }
      stored.remove(at: place)
      plans.remove(at: place)
      if let subscription { insert(subscription) }
      index()
    }
  }

  private mutating func append(_ subscription: DaybookProtocol.Subscription) {
    guard let plan = try? Subscriptions.Subscription(subscription) else { return }
    stored.append(subscription)
    plans.append(plan)
  }

  private mutating func insert(_ subscription: DaybookProtocol.Subscription) {
    guard let plan = try? Subscriptions.Subscription(subscription) else { return }
    // Most are added behind all others.
    let place = stored.lastIndex { SubscriptionBook.precedes($0, subscription) }.map { $0 + 1 } ?? 0
    stored.insert(subscription, at: place)
    plans.insert(plan, at: place)
    if place == stored.count - 1 { places[subscription.id] = place } else { index() }
  }

  private mutating func index() {
    places = Dictionary(stored.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  private static func precedes(_ one: DaybookProtocol.Subscription, _ other: DaybookProtocol.Subscription) -> Bool {
    one.createdAt != other.createdAt ? one.createdAt < other.createdAt : one.id < other.id
  }
}
