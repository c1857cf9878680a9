import DomainKit
import Zones

/// The present day: in the display zone, from the hour at which the user's days begin.
extension Session {
  /// The rules of the device's zone: as the client reported, else the system's.
  var deviceZone: TimeZoneRules { clock.deviceZone(at: now()) }

  /// Reads the system's zone again, unless the client has reported the zone.
  func refreshSystemZone() {
    guard !clock.isClientsZone else { return }
    announced.day = announced.day ?? today
    clock.forgetSystemZone()
  }

  var days: DayContext {
    if let known = clock.known(at: now()) { return known }
    // A copy, because reading the settings may access the clock.
    var clock = clock
    defer { self.clock = clock }
    return clock.days(
      at: now(), settings: settingsInForce.value, home: device.flags.zones.flatMap { TimeZoneName($0.home) })
  }

  /// The rules of the zone in which days are counted.
  var currentZone: TimeZoneRules { days.zone }

  /// The name of that zone; `UTC` when its rules have no name.
  var zoneName: TimeZoneName { days.name }

  var today: CivilDay { days.today }

  /// The default day of requests.
  var currentDay: CivilDay { client.selectedDay ?? today }

  @discardableResult
  func rollDay() -> Bool {
    let present = days
    guard let before = announced.updateDay(present.today) else { return false }
    emit(
      DayChangedParams.method, DayChangedParams(today: present.today, previousDay: before, nextDayAt: present.rollsAt))
    return true
  }
}
