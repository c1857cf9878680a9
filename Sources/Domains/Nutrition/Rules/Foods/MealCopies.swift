import CivilTime
import DaybookProtocol
import Values

/// Copies of the meals of some days, each on the day that its original's is shifted to.
package enum MealCopies {
  /// The most days that are copied at once.
  package static let mostDays = 366

  /// How the ids of copies come about.
  package enum Identities {
    /// New ones each time.
    case fresh(() -> EntityID)
    /// They follow from the originals. All of them have the same first half, by which a copy is known for one.
    case derived(high: UInt64, low: (EntityID) -> UInt64)
  }

  /// The copies, in the order of the originals, which are given oldest first. Each is a millisecond later than the one before it on the
  /// same day, so that they keep their order. A meal that was copied so before is no original.
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
