import CivilTime

/// Caches instants of wall-clock times in one zone, as many candidates share a day and a time.
struct WallClockCache {
  let zone: TimeZoneRules
  private var instants: [Int: Instant] = [:]

  init(zone: TimeZoneRules) { self.zone = zone }

  /// The first instant at which the clock shows that minute of the day, or a later one.
  mutating func instant(_ day: CivilDay, minuteOfDay: Int) -> Instant {
    let key = Int(day.daysSinceEpoch) * 1440 + minuteOfDay
    if let instant = instants[key] { return instant }
    let instant = zone.instant(day, minuteOfDay: minuteOfDay)
    instants[key] = instant
    return instant
  }
}
