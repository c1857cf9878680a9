import DaybookProtocol

/// Copies the meals of some days to shifted days.
package enum MealCopies {
  /// The most days copied at once.
  package static let mostDays = 366

  /// The ids of copies.
  package enum Identities {
    case fresh(() -> EntityID)
    /// Derived from the originals. All have the same first half, which identifies copies.
    case derived(high: UInt64, low: (EntityID) -> UInt64)
  }

  /// The copies in the order of the originals, oldest first. Copies on one day are a millisecond apart, which keeps their order.
  /// Copies with the same derived first half are not copied again.
  package static func copies(
    of originals: [Meal], shift: Int, zone: TimeZoneName, now: Instant, _ identities: Identities
  ) -> [Meal] {
    var copies: [Meal] = []
    var place = 0
    for original in originals {
      var copy = original
      switch identities {
      case .fresh(let newID): copy.id = newID()
      case .derived(let high, let low):
        guard original.id.high != high else { continue }
        copy.id = EntityID(high: high, low: low(original.id))
      }
      copy.day = original.day.advanced(by: shift)
      place = copies.last?.day == copy.day ? place + 1 : 0
      copy.zone = zone
      copy.createdAt = now.advanced(by: Int64(place))
      copy.updatedAt = copy.createdAt
      copies.append(copy)
    }
    return copies
  }
}
