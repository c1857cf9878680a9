import CivilTime
import Subscriptions
import Values

/// What a row and a subscription that was made by hand have in common when one is taken for the other: the same name as
/// far as people write it, and the same price and cycle, seen from a day.
struct SubscriptionLikeness: Hashable, Sendable {
  private let name: String
  private let price: Money
  private let cycle: Cycle

  init(_ subscription: Subscription, today: CivilDay) {
    self.init(subscription, price: subscription.prices.price(on: today), today: today)
  }

  init(_ row: TableSubscription, today: CivilDay) {
    self.init(row.subscription, price: row.price, today: today)
  }

  private init(_ subscription: Subscription, price: Money, today: CivilDay) {
    name = NameFolding.fold(subscription.name)
    self.price = price
    cycle = subscription.withoutPlannedCycle(today: today).cycle
  }
}

/// Subscriptions that rows can be taken for, each for one row, and of several that are alike the first one first.
package struct SubscriptionMatches: Sendable {
  private let today: CivilDay
  private var places: [SubscriptionLikeness: ArraySlice<Int>] = [:]

  package init(today: CivilDay) { self.today = today }

  /// Adds a subscription with its place in a list.
  package mutating func add(_ subscription: Subscription, at place: Int) {
    places[SubscriptionLikeness(subscription, today: today), default: []].append(place)
  }

  /// Takes out the subscription that a row is of; nil when there is none left. O(1), however many are alike.
  package mutating func take(_ row: TableSubscription) -> Int? {
    places[SubscriptionLikeness(row, today: today)]?.popFirst()
  }
}
