import CivilTime

/// By which clock days are counted now, and which day it is.
package struct DayContext {
  /// The rules of the display zone.
  package let zone: TimeZoneRules
  package let name: TimeZoneName
  /// How long after midnight a day begins.
  package let dayStart: DayStart
  /// The zone set that the machine does not know, if the device's stands in for it.
  package let unknownZone: String?
  package private(set) var today: CivilDay
  /// When the next day begins.
  package private(set) var rollsAt: Instant
  private var begins: Instant

  package init(zone: TimeZoneRules, name: TimeZoneName, dayStart: DayStart, unknownZone: String?, now: Instant) {
    self.zone = zone
    self.name = name
    self.dayStart = dayStart
    self.unknownZone = unknownZone
    today = CivilDay.allowed.lowerBound
    (begins, rollsAt) = (now, now)
    look(now)
  }

  /// Brings it up to date; whether it is another day now.
  @discardableResult
  package mutating func look(_ now: Instant) -> Bool {
    guard now >= rollsAt || now < begins else { return false }
    let before = today
    let day = dayStart.day(at: now, in: zone)
    begins = min(now, dayStart.start(of: day, in: zone))
    rollsAt = dayStart.nextRoll(after: now, in: zone)
    // The nearest day that the protocol can name, should the clock be out of its mind.
    today = min(max(day, CivilDay.allowed.lowerBound), CivilDay.allowed.upperBound)
    return today != before
  }
}
