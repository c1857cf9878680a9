import CivilTime
import DaybookProtocol
import Subscriptions
import Values

extension DaybookProtocol.Charge {
  /// A charge to a client, seen from today.
  init(_ charge: Subscriptions.Charge, of subscription: Subscriptions.Subscription, today: CivilDay) {
    let label = DueLabel(charge.day, today: today)
    self.init(
      subscription: charge.subscription, name: subscription.name,
      category: DaybookProtocol.SubscriptionCategory(subscription.category), occurrence: charge.occurrence,
      day: charge.day, inDays: label?.days, label: label.map { "\($0)" }, price: DaybookProtocol.Money(charge.price),
      cost: DaybookProtocol.Money(Subscriptions.Money(rounding: charge.cost, charge.price.currency)),
      isPaid: charge.isPaid)
  }
}

extension CurrencyTotals {
  /// Rounded, to a client; ascending by code.
  var wire: [DaybookProtocol.Money] { rounded.map { DaybookProtocol.Money($0) } }
}

extension SubscriptionBook {
  /// Charges to a client, in their order, seen from today.
  func wire(_ charges: some Sequence<Subscriptions.Charge>, today: CivilDay) -> [DaybookProtocol.Charge] {
    charges.compactMap { charge in
      place(of: charge.subscription).map { DaybookProtocol.Charge(charge, of: plans[$0], today: today) }
    }
  }
}

/// A place in a list of charges as clients have it.
enum ChargeCursor {
  static func text(_ place: Subscriptions.Charge.Place) -> String {
    "v1.\(place.day).\(place.occurrence).\(place.subscription)"
  }

  /// Reads `v1.DAY.OCCURRENCE.ID`.
  static func place(_ text: String) -> Subscriptions.Charge.Place? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "v1", let day = CivilDay(parts[1]), let occurrence = CivilDay(parts[2]),
      let id = EntityID(parts[3])
    else { return nil }
    return Subscriptions.Charge.Place(day: day, occurrence: occurrence, subscription: id)
  }
}
