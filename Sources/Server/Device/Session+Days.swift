import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Values
import Zones

/// Which day it is: in the display zone, from the hour on at which the user's days begin.
extension Session {
  /// The rules of the zone the device is in: as the client said, else the system's.
  var deviceZone: TimeZoneRules {
    if let zone = clock.zone { return zone }
    let found = options.systemZone()
    if let problem = found.problem {
      log.warning(
        .timeZone, "the time zone of the system cannot be used, days are counted in UTC: \(public: problem.message)")
    }
    let rules = named(found.rules)
    clock.zone = rules
    return rules
  }

  /// Reads the system's zone again, unless the client has said where the device is.
  func lookAtSystemZone() {
    guard !clock.zoneIsTheClients else { return }
    told.day = told.day ?? today
    clock.zone = nil
    clock.days = nil
  }

  /// Rules under a name that the zone database has, for the name is stored with what the user logs. Rules that only a `TZ`
  /// string gives, which has no name, become those of a fixed whole-hour zone, else UTC.
  private func named(_ rules: TimeZoneRules) -> TimeZoneRules {
    if rules.name.contains("/") || rules.name == TimeZoneName.utc.text { return rules }
    if let name = TimeZoneName(rules.name), let known = try? options.zones.rules(for: name) { return known }
    let offset = rules.offset(at: now())
    let hours = offset / 3600
    let fixed = TimeZoneName("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")
    if offset % 3600 == 0, let fixed, let known = try? options.zones.rules(for: fixed) {
      log.warning(
        .timeZone,
        "the time zone “\(public: rules.name)” has no name in the zone database; days are counted in \(public: fixed.text)"
      )
      return known
    }
    log.warning(
      .timeZone, "the time zone “\(public: rules.name)” has no name in the zone database; days are counted in UTC")
    return .utc
  }

  /// By which clock days are counted now.
  var days: DayContext {
    let days = clock.days?.at(now()) ?? makeDayContext()
    clock.days = days
    return days
  }

  private func makeDayContext() -> DayContext {
    let settings = presentSettings
    let here = deviceZone
    var (zone, unknown) = (here, String?.none)
    let wanted: TimeZoneName? =
      switch settings.timeZoneMode {
      case .home: settings.homeTimeZone ?? device.flags.zones.flatMap { TimeZoneName($0.home) }
      case .custom: settings.customTimeZone
      default: nil
      }
    if let wanted, wanted.text != here.name {
      do throws(TimeZoneError) { zone = try options.zones.rules(for: wanted) } catch {
        unknown = wanted.text
        log.warning(
          .timeZone,
          "the time zone \(public: wanted.text) is not known here; days are counted in \(public: here.name)")
      }
    }
    return DayContext(
      zone: zone, name: TimeZoneName(zone.name) ?? .utc,
      dayStart: DayStart(minutes: settings.dayStartsAt * 60) ?? .midnight, unknownZone: unknown, now: now())
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
