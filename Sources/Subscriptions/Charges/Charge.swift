import CivilTime
import Values

/// One time that a subscription is charged.
package struct Charge: Hashable, Sendable {
  /// The subscription.
  package let subscription: EntityID
  /// The day of the cycle, which names the charge; another than `day` where it was shifted.
  package let occurrence: CivilDay
  /// The day it is charged on.
  package let day: CivilDay
  /// The whole price of that day, or what was paid instead.
  package let price: Money
  /// The part of it that one pays oneself, that of the same day.
  package let share: PayerShare
  /// Whether it was marked as paid.
  package let isPaid: Bool

  /// One's own part, exactly.
  @inline(__always)
  package var cost: ExactAmount { share.of(price.amount) }

  /// Whether it was shifted.
  package var isShifted: Bool { day != occurrence }

  /// Order by day; of one day by the day of the cycle, then by id.
  package static func precedes(_ left: Charge, _ right: Charge) -> Bool {
    if left.day != right.day { return left.day < right.day }
    if left.occurrence != right.occurrence { return left.occurrence < right.occurrence }
    return left.subscription < right.subscription
  }
}
