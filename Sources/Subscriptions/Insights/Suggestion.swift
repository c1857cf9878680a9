import CivilTime
import Values

/// Something worth a look: never more than a proposal.
package enum Suggestion: Sendable, Equatable {
  /// It is paid for and hardly used, by one's own rating; with what a year of it costs.
  case unused(EntityID, yearly: Money)
  /// Several that go on have the same name, but for how it is written and for words that tell a plan; in the order given.
  case duplicates([EntityID], name: String)
}

extension Suggestion {
  /// The suggestions for what goes on: what is rated `none`, then `low`, the most expensive first within a currency; then names
  /// that are there twice, in the order given.
  package static func all(for subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    unused(among: subscriptions, today: today) + duplicates(among: subscriptions, today: today)
  }

  private static func unused(among subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    var found: [Suggestion] = []
    for rating in [UsageRating.none, .low] {
      var rows: [(id: EntityID, amount: ExactAmount, currency: Currency)] = []
      for subscription in subscriptions where subscription.usage == rating && subscription.isCharged(on: today) {
        let (amount, currency) = subscription.yearlyCost(on: today)
        if !amount.isZero { rows.append((subscription.id, amount, currency)) }
      }
      rows.sort { $0.currency != $1.currency ? $0.currency < $1.currency : $1.amount < $0.amount }
      found += rows.map { .unused($0.id, yearly: Money(rounding: $0.amount, $0.currency)) }
    }
    return found
  }

  private static func duplicates(among subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    var names: [String: [Subscription]] = [:]
    var order: [String] = []
    for subscription in subscriptions
    where subscription.cycle.isRecurring && subscription.status(on: today) != .cancelled {
      let name = NameFolding.foldService(subscription.name)
      if names[name] == nil { order.append(name) }
      names[name, default: []].append(subscription)
    }
    return order.compactMap { name in
      guard let same = names[name], same.count > 1, let first = same.first else { return nil }
      return .duplicates(same.map(\.id), name: first.name)
    }
  }
}
