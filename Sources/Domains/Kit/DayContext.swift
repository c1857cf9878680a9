import CivilTime

/// By which clock days are counted, and which day it is: a value that requests share.
package final class DayContext: Sendable {
  /// The rules of the display zone.
  package let zone: TimeZoneRules
  package let name: TimeZoneName
  /// How long after midnight a day begins.
  package let dayStart: DayStart
  /// The zone set that the machine does not know, if the device's stands in for it.
  package let unknownZone: String?
  /// The day, or the nearest one that the protocol can name, should the clock be out of its mind.
  package let today: CivilDay
  /// When the next day begins.
  package let rollsAt: Instant
  private let begins: Instant

  package init(zone: TimeZoneRules, name: TimeZoneName, dayStart: DayStart, unknownZone: String?, now: Instant) {
    self.zone = zone
    self.name = name
    self.dayStart = dayStart
    self.unknownZone = unknownZone
    let day = dayStart.day(at: now, in: zone)
    begins = min(now, dayStart.start(of: day, in: zone))
    rollsAt = dayStart.nextRoll(after: now, in: zone)
    today = min(max(day, CivilDay.allowed.lowerBound), CivilDay.allowed.upperBound)
  }

  /// Whether a time lies in the day.
  package func holds(at now: Instant) -> Bool { now >= begins && now < rollsAt }

  /// The same clock at another time: this very value while the day lasts.
  package func at(_ now: Instant) -> DayContext {
    holds(at: now)
      ? self : DayContext(zone: zone, name: name, dayStart: dayStart, unknownZone: unknownZone, now: now)
  }
}
