import CivilTime
import DaybookProtocol
import Values

/// What is worth a look: never more than a proposal.
extension Suggestion {
  /// The suggestions for what goes on: what is rated `none`, then `low`, the most expensive first within a currency; then names
  /// that are there twice, but for how they are written and for words that tell a plan, in the order given.
  package static func all(for subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    unused(among: subscriptions, today: today) + duplicates(among: subscriptions, today: today)
  }

  private static func unused(among subscriptions: [Subscription], today: CivilDay) -> [Suggestion] {
    [UsageRating.none, .low].flatMap { rating in
      RunningCost.all(of: subscriptions.filter { $0.usage == rating }, today: today)
        .sorted { $0.currency != $1.currency ? $0.currency < $1.currency : $1.yearly < $0.yearly }
        .map { cost in
          Suggestion(
            kind: .unused, subscriptions: [NamedSubscription(cost.subscription)], usage: rating,
            yearly: Money(rounding: cost.yearly, cost.currency))
        }
    }
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
      guard let same = names[name], same.count > 1 else { return nil }
      return Suggestion(kind: .duplicates, subscriptions: same.map { NamedSubscription($0) })
    }
  }
}

extension NamedSubscription {
  init(_ subscription: Subscription) { self.init(subscriptionId: subscription.id, name: subscription.name) }
}
