import DaybookProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The rules for watched places and their reminders.
package enum PlaceRules {
  /// The places a device can watch.
  package static let maxRegions = 20
  /// The default radius in metres.
  package static let defaultRadius = 100
  /// The default minutes between reminders of a place.
  package static let defaultCooldown = 30
  /// The mean radius of the Earth in metres (IUGG).
  private static let earth = 6_371_008.8

  /// A position in degrees (WGS 84).
  package struct Position: Sendable {
    let latitude: Double
    let longitude: Double

    package init(_ latitude: Decimal, _ longitude: Decimal) {
      (self.latitude, self.longitude) = (latitude.double, longitude.double)
    }
  }

  /// The great-circle distance in metres (haversine).
  package static func distance(_ left: Position, _ right: Position) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let latitude = sin(radians(right.latitude - left.latitude) / 2)
    let longitude = sin(radians(right.longitude - left.longitude) / 2)
    let part =
      latitude * latitude + cos(radians(left.latitude)) * cos(radians(right.latitude)) * longitude * longitude
    return 2 * earth * asin(min(1, part.squareRoot()))
  }

  /// The places to watch, nearest first; in habit order without a position.
  package static func regions(of habits: [Habit], around position: Position?) -> [PlaceRegion] {
    var regions: [(region: PlaceRegion, distance: Double)] = []
    for habit in habits {
      guard let place = habit.place, place.disabled != true, habit.archivedDay == nil else { continue }
      let distance = position.map { PlaceRules.distance($0, Position(place.latitude, place.longitude)) }
      regions.append(
        (
          PlaceRegion(
            habitId: habit.id, latitude: place.latitude, longitude: place.longitude,
            radius: place.radius ?? defaultRadius,
            trigger: place.trigger ?? .entry, label: place.label ?? habit.name,
            distance: distance.map { Int($0.rounded()) }
          ), distance ?? Double(regions.count)
        ))
    }
    return regions.enumerated().sorted {
      $0.element.distance != $1.element.distance ? $0.element.distance < $1.element.distance : $0.offset < $1.offset
    }.map(\.element.region)
  }

  /// Whether entering or leaving a place reminds.
  ///
  /// - Parameter last: When the same event last reminded.
  /// - Parameter dayOf: The user's day at an instant.
  package static func answer(
    _ event: PlaceEvent, _ habit: Habit, _ day: HabitDay, last: Instant?, now: Instant, dayOf: (Instant) -> CivilDay
  ) -> PlaceAnswer {
    if habit.archivedDay != nil { return .archived }
    guard let place = habit.place, place.disabled != true else { return .noPlace }
    if day.state == .done { return .done }
    guard day.state == .open, day.due else { return .notDue }
    switch place.trigger ?? .entry {
    case .both: break
    case .exit: if event != .exit { return .otherTrigger }
    case .entry, .unknown: if event != .entry { return .otherTrigger }
    }
    guard let last else { return .reminds }
    if place.frequency == .everyTime {
      let cooldown = Int64(place.cooldownMinutes ?? defaultCooldown) * 60_000
      // A clock that was set back does not suppress reminders.
      return now >= last && now < last.advanced(by: cooldown) ? .already : .reminds
    }
    return dayOf(last) == dayOf(now) ? .already : .reminds
  }
}
