import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Values
import Zones

/// Which day it is: in the display zone, from the hour on at which the user's days begin.
extension Session {
  /// The rules of the zone the device is in: as the client said, else the system's.
  var deviceZone: TimeZoneRules { clock.deviceZone(at: now()) }

  /// Reads the system's zone again, unless the client has said where the device is.
  func lookAtSystemZone() {
    guard !clock.zoneIsTheClients else { return }
    told.day = told.day ?? today
    clock.forgetSystemZone()
  }

  /// By which clock days are counted now.
  var days: DayContext {
    if let known = clock.known(at: now()) { return known }
    // Out of its place while the settings are asked for.
    var clock = clock
    defer { self.clock = clock }
    return clock.days(
      at: now(), settings: settingsInForce.value, home: device.flags.zones.flatMap { TimeZoneName($0.home) })
  }

  /// The rules of the zone that days are counted in.
  var currentZone: TimeZoneRules { days.zone }

  /// The name of that zone; `UTC` when its rules have no name.
  var zoneName: TimeZoneName { days.name }

  /// Today in the user's zone.
  var today: CivilDay { days.today }

  /// The day meant when none is named.
  var currentDay: CivilDay { client.selectedDay ?? today }

  /// Tells of a new day, if one has begun since the last look.
  @discardableResult
  func rollDay() -> Bool {
    let present = days
    guard let before = told.day(present.today) else { return false }
    tellNow(
      Event(
        DayChangedParams.method,
        DayChangedParams(today: present.today, previousDay: before, nextDayAt: present.rollsAt)))
    return true
  }
}

extension Session {
  /// The day on which the user's weeks begin.
  var firstWeekday: Weekday { WeekStart.firstWeekday(set: presentSettings.firstWeekday, locale: client.locale) }

  /// The week that a day lies in, as the user counts weeks.
  func weekOf(_ day: CivilDay) -> ClosedRange<CivilDay> { day.week(from: firstWeekday.index) }
}
