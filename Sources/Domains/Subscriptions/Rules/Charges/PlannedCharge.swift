import CivilTime
import DaybookProtocol
import Values

/// One time that a subscription is charged, as it follows from the subscription.
package struct PlannedCharge: Equatable, Sendable {
  /// The subscription.
  package let subscription: EntityID
  /// The day of the cycle, which names the charge; another than `day` where it was shifted.
  package let occurrence: CivilDay
  /// The day it is charged on.
  package let day: CivilDay
  /// The whole price of that day, or what was paid instead.
  package let price: Price
  /// The part of it that one pays oneself, that of the same day.
  package let share: PayerShare
  /// Whether it was marked as paid.
  package let isPaid: Bool

  /// One's own part, exactly.
  @inline(__always)
  package var cost: ExactAmount { share.of(price.amount) }

  /// Whether it was shifted.
  package var isShifted: Bool { day != occurrence }

  /// Where it stands among others.
  package var place: Place { Place(day: day, occurrence: occurrence, subscription: subscription) }

  /// Where a charge stands: by day; of one day by the day of the cycle, then by id. Enough to go on behind it.
  package struct Place: Comparable, Sendable {
    package let day: CivilDay
    package let occurrence: CivilDay
    package let subscription: EntityID

    package static func < (left: Place, right: Place) -> Bool {
      if left.day != right.day { return left.day < right.day }
      if left.occurrence != right.occurrence { return left.occurrence < right.occurrence }
      return left.subscription < right.subscription
    }

    /// The place as a cursor, `v1.DAY.OCCURRENCE.ID`.
    package var cursor: String { "v1.\(day).\(occurrence).\(subscription)" }

    fileprivate init(day: CivilDay, occurrence: CivilDay, subscription: EntityID) {
      self.day = day
      self.occurrence = occurrence
      self.subscription = subscription
    }

    /// Reads a cursor.
    package init?(cursor: String) {
      let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, parts[0] == "v1", let day = CivilDay(parts[1]), let occurrence = CivilDay(parts[2]),
        let id = EntityID(parts[3])
      else { return nil }
      self.init(day: day, occurrence: occurrence, subscription: id)
    }
  }

  /// The order of places.
  package static func precedes(_ left: PlannedCharge, _ right: PlannedCharge) -> Bool { left.place < right.place }
}

extension Charge {
  /// A charge of a subscription, seen from a day.
  package init(_ charge: PlannedCharge, of subscription: Subscription, today: CivilDay) {
    let label = DueLabel(charge.day, today: today)
    self.init(
      subscriptionId: charge.subscription, name: subscription.name, category: subscription.category.orOther,
      occurrence: charge.occurrence, day: charge.day, inDays: label?.days, label: label?.description,
      price: Money(charge.price), priceRange: subscription.priceRange(of: charge),
      cost: Money(rounding: charge.cost, charge.price.currency), paid: charge.isPaid)
  }
}

extension Subscription {
  /// Between what the price of a charge varies; nil where nothing is said of that, and of what was paid.
  fileprivate func priceRange(of charge: PlannedCharge) -> PriceRange? {
    guard !charge.isPaid else { return nil }
    return priceRange(on: (formerTerms ?? []).pricedDay(of: charge.occurrence, on: charge.day))
  }
}

extension NextCharge {
  /// A charge that is still to come, seen from a day.
  init?(_ charge: PlannedCharge, of subscription: Subscription, today: CivilDay) {
    guard let label = DueLabel(charge.day, today: today) else { return nil }
    self.init(
      occurrence: charge.occurrence, day: charge.day, inDays: label.days, label: label.description,
      price: Money(charge.price), priceRange: subscription.priceRange(of: charge),
      cost: Money(rounding: charge.cost, charge.price.currency))
  }
}
