import DaybookProtocol

/// One charge of a subscription, derived from it.
package struct PlannedCharge: Equatable, Sendable {
  package let subscription: EntityID
  /// The day of the schedule, which identifies the charge; not `day` when it was shifted.
  package let occurrence: CivilDay
  /// The day it is charged.
  package let day: CivilDay
  /// The whole price on that day, or the paid amount.
  package let price: Price
  /// The user's share on that day.
  package let share: PayerShare
  package let isPaid: Bool

  /// The user's own part, exact.
  @inline(__always)
  package var cost: ExactAmount { share.of(price.amount) }

  package var isShifted: Bool { day != occurrence }

  package var place: Place { Place(self) }

  /// The sort key of a charge: day, occurrence, id. Identifies where a page continues.
  package struct Place: Comparable, Sendable {
    package let day: CivilDay
    package let occurrence: CivilDay
    package let subscription: EntityID

    fileprivate init(_ charge: PlannedCharge) {
      (day, occurrence, subscription) = (charge.day, charge.occurrence, charge.subscription)
    }

    package static func < (left: Place, right: Place) -> Bool {
      if left.day != right.day { return left.day < right.day }
      if left.occurrence != right.occurrence { return left.occurrence < right.occurrence }
      return left.subscription < right.subscription
    }

    /// The place as a cursor, `v1.DAY.OCCURRENCE.ID`.
    package var cursor: String { "v1.\(day).\(occurrence).\(subscription)" }

    package init?(cursor: String) {
      let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, parts[0] == "v1", let day = CivilDay(parts[1]), let occurrence = CivilDay(parts[2]),
        let id = EntityID(parts[3])
      else { return nil }
      (self.day, self.occurrence, subscription) = (day, occurrence, id)
    }
  }

  package static func precedes(_ left: PlannedCharge, _ right: PlannedCharge) -> Bool { left.place < right.place }
}

extension Charge {
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
  /// The price range of an unpaid charge; nil where the price has none.
  fileprivate func priceRange(of charge: PlannedCharge) -> PriceRange? {
    guard !charge.isPaid else { return nil }
    return priceRange(on: (formerTerms ?? []).pricedDay(of: charge.occurrence, on: charge.day))
  }
}

extension NextCharge {
  /// An upcoming charge as of today; nil for one in the past.
  init?(_ charge: PlannedCharge, of subscription: Subscription, today: CivilDay) {
    guard let label = DueLabel(charge.day, today: today) else { return nil }
    self.init(
      occurrence: charge.occurrence, day: charge.day, inDays: label.days, label: label.description,
      price: Money(charge.price), priceRange: subscription.priceRange(of: charge),
      cost: Money(rounding: charge.cost, charge.price.currency))
  }
}

/// The distance of a day: `Today`, `Tomorrow`, `in 5 days`.
package struct DueLabel: Hashable, Sendable, CustomStringConvertible {
  /// 0 for today.
  package let days: Int

  /// Nil for a past day: such a date is never shown.
  package init?(_ day: CivilDay, today: CivilDay) {
    let days = Int(day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    guard days >= 0 else { return nil }
    self.days = days
  }

  /// (Reference part 2, §2.3.)
  package var description: String {
    switch days {
    case 0: "Today"
    case 1: "Tomorrow"
    default: "in \(days) days"
    }
  }
}
