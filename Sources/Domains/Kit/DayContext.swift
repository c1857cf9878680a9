import CivilTime

/// The clock that days are counted by, and the current day. Requests share one instance.
package final class DayContext: Sendable {
  /// The rules of the display zone.
  package let zone: TimeZoneRules
  package let name: TimeZoneName
  /// The offset of the day's start from midnight.
  package let dayStart: DayStart
  /// The configured zone, if this machine does not know it and the device's zone is used instead.
  package let unknownZone: String?
  /// The current day, clamped to the days that the protocol allows.
  package let today: CivilDay
  /// The start of the next day.
  package let rollsAt: Instant
  private let begins: Instant

  package init(zone: TimeZoneRules, name: TimeZoneName, dayStart: DayStart, unknownZone: String?, now: Instant) {
    self.zone = zone
    self.name = name
    self.dayStart = dayStart
    self.unknownZone = unknownZone
    let day = dayStart.day(at: now, in: zone)
    begins = min(now, dayStart.start(of: day, in: zone))
    rollsAt = dayStart.nextChange(after: now, in: zone)
    today = min(max(day, CivilDay.allowed.lowerBound), CivilDay.allowed.upperBound)
  }

  /// Whether an instant lies in the current day.
  package func holds(at now: Instant) -> Bool { now >= begins && now < rollsAt }

  /// The same clock at another time; this instance while the day lasts.
  package func at(_ now: Instant) -> DayContext {
    holds(at: now)
      ? self : DayContext(zone: zone, name: name, dayStart: dayStart, unknownZone: unknownZone, now: now)
  }
}
