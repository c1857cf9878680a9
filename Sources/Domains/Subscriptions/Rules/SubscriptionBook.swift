import CivilTime
import DaybookProtocol
import Values

/// The subscriptions of a revision that can be understood, in the order they were added. Dropping it
/// changes no answer.
package struct SubscriptionBook: Sendable {
  /// The revision that all of it is of.
  package private(set) var revision: Int
  /// As they are stored.
  package private(set) var subscriptions: [Subscription] = []
  /// Where each is.
  private var places: [EntityID: Int] = [:]

  /// Those of some that can be understood.
  package init(_ subscriptions: [Subscription], revision: Int = 0) {
    self.revision = revision
    self.subscriptions = subscriptions.filter { SubscriptionRules.formRefusal(of: $0) == nil }
    self.subscriptions.sort { Subscription.isAdded($0, before: $1) }
    index()
  }

  /// Where a subscription is; nil when there is none with this id that can be understood.
  package func place(of id: EntityID) -> Int? { places[id] }

  /// The subscription of an id.
  package subscript(id: EntityID) -> Subscription? { places[id].map { subscriptions[$0] } }

  /// Charges as clients see them, in their order, seen from a day.
  package func charges(_ charges: some Sequence<PlannedCharge>, today: CivilDay) -> [Charge] {
    charges.compactMap { charge in self[charge.subscription].map { Charge(charge, of: $0, today: today) } }
  }

  /// The currencies that ISO 4217 does not list, or no longer, of those that have prices in such.
  package var unlistedCurrencies: [EntityID: Set<Currency>] {
    var unlisted: [EntityID: Set<Currency>] = [:]
    for subscription in subscriptions {
      for currency in subscription.prices.map({ Price($0).currency }) where !currency.isListed {
        unlisted[subscription.id, default: []].insert(currency)
      }
    }
    return unlisted
  }

  /// Those that go on and may be the same thing as another, in the order they were added.
  package func similar(to other: Subscription, today: CivilDay) -> [EntityID] {
    let name = NameFolding.foldService(other.name)
    return subscriptions.filter {
      $0.id != other.id && $0.status(on: today) != .cancelled && NameFolding.foldService($0.name) == name
    }.map(\.id)
  }

  /// Goes over to a later revision by its changes.
  package mutating func follow(to present: Int, _ changes: [EntityID: Subscription?]) {
    revision = present
    for (id, change) in changes {
      let subscription = change.flatMap { SubscriptionRules.formRefusal(of: $0) == nil ? $0 : nil }
      guard let place = places[id] else {
        if let subscription { insert(subscription) }
        continue
      }
      // Only when it was added decides its place, so an edit keeps it.
      if let subscription, subscription.createdAt == subscriptions[place].createdAt,
        subscription.place == subscriptions[place].place
      {
        subscriptions[place] = subscription
        continue
      }
      subscriptions.remove(at: place)
      if let subscription { insert(subscription) }
      index()
    }
  }

  private mutating func insert(_ subscription: Subscription) {
    // Most are added behind all others.
    let place = subscriptions.lastIndex { Subscription.isAdded($0, before: subscription) }.map { $0 + 1 } ?? 0
    subscriptions.insert(subscription, at: place)
    if place == subscriptions.count - 1 { places[subscription.id] = place } else { index() }
  }

  private mutating func index() {
    places = Dictionary(subscriptions.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }
}

extension Subscription {
  /// The order in which they were added: by the instant, of one instant by their places, then by id.
  package static func isAdded(_ one: Subscription, before other: Subscription) -> Bool {
    if one.createdAt != other.createdAt { return one.createdAt < other.createdAt }
    let (place, otherPlace) = (one.place ?? 0, other.place ?? 0)
    return place != otherPlace ? place < otherPlace : one.id < other.id
  }
}
