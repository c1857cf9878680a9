import DaybookProtocol

/// The readable subscriptions of a revision, in the order they were added. A cache: dropping it changes no answer.
package struct SubscriptionBook: Sendable {
  package private(set) var revision: Int
  package private(set) var subscriptions: [Subscription] = []
  private var places: [EntityID: Int] = [:]

  /// The readable ones of `subscriptions`.
  package init(_ subscriptions: [Subscription], revision: Int = 0) {
    self.revision = revision
    self.subscriptions = subscriptions.filter { SubscriptionRules.formRefusal(of: $0) == nil }
    self.subscriptions.sort { Subscription.isAdded($0, before: $1) }
    index()
  }

  package subscript(id: EntityID) -> Subscription? { places[id].map { subscriptions[$0] } }

  /// Charges as clients see them, in order.
  package func charges(_ charges: some Sequence<PlannedCharge>, today: CivilDay) -> [Charge] {
    charges.compactMap { charge in self[charge.subscription].map { Charge(charge, of: $0, today: today) } }
  }

  /// Unlisted currencies (ISO 4217) of the prices, by subscription.
  package var unlistedCurrencies: [EntityID: Set<Currency>] {
    var unlisted: [EntityID: Set<Currency>] = [:]
    for subscription in subscriptions {
      for currency in subscription.prices.map({ Price($0).currency }) where !currency.isListed {
        unlisted[subscription.id, default: []].insert(currency)
      }
    }
    return unlisted
  }

  /// Running subscriptions that may be the same service, in the order they were added.
  package func similar(to other: Subscription, today: CivilDay) -> [EntityID] {
    let name = NameFolding.foldService(other.name)
    return subscriptions.filter {
      $0.id != other.id && $0.status(on: today) != .cancelled && NameFolding.foldService($0.name) == name
    }.map(\.id)
  }

  /// Applies the changes up to a later revision; nil for a deleted subscription.
  package mutating func follow(to present: Int, _ changes: [EntityID: Subscription?]) {
    revision = present
    for (id, change) in changes {
      let subscription = change.flatMap { SubscriptionRules.formRefusal(of: $0) == nil ? $0 : nil }
      guard let place = places[id] else {
        if let subscription { insert(subscription) }
        continue
      }
      // The position depends only on when it was added, so an edit keeps it.
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
    // Most are added last.
    let place = subscriptions.lastIndex { Subscription.isAdded($0, before: subscription) }.map { $0 + 1 } ?? 0
    subscriptions.insert(subscription, at: place)
    if place == subscriptions.count - 1 { places[subscription.id] = place } else { index() }
  }

  private mutating func index() {
    places = Dictionary(subscriptions.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }
}

extension Subscription {
  /// The order in which they were added: by instant, then place, then id.
  package static func isAdded(_ one: Subscription, before other: Subscription) -> Bool {
    if one.createdAt != other.createdAt { return one.createdAt < other.createdAt }
    let (place, otherPlace) = (one.place ?? 0, other.place ?? 0)
    return place != otherPlace ? place < otherPlace : one.id < other.id
  }
}
