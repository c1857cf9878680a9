import DomainKit
import ServerTesting
import SettingsDocument
import Testing

@testable import DaybookServer

@Suite("The clock that determines days")
struct DayClockTests {
  private let zones = SystemTimeZoneDatabase.fromEnvironment()
  private let noon = Instant(milliseconds: 1_767_614_400_000)

  /// A clock on a machine with this value of `TZ`.
  private func clock(system: String = "UTC", _ warnings: Notes<LogMessage> = Notes()) -> DayClock {
    DayClock(
      zones: zones,
      systemZone: { [zones] in SystemTimeZone.find(environment: system, database: zones, files: SystemTimeZone.Files())
      },
      warn: { warnings.add($0) })
  }

  private func settings(_ change: (inout Settings) -> Void) -> Settings {
    var settings = SettingsRules.defaults
    change(&settings)
    return settings
  }

  @Test("A zone from the client stays; the system's zone is read again when it may have changed")
  func whoseZone() throws {
    let berlin = try zones.rules(named: "Europe/Berlin")
    var clock = clock(system: "Asia/Tokyo")
    #expect(clock.deviceZone(at: noon).name == "Asia/Tokyo")
    clock.setClientZone(berlin)
    clock.forgetSystemZone()
    #expect(clock.deviceZone(at: noon).name == "Europe/Berlin" && clock.isClientsZone)
  }

  @Test("Rules without a name become a fixed zone with their offset, and the log says so")
  func nameless() {
    let warnings = Notes<LogMessage>()
    var clock = clock(system: "XYZ-3", warnings)
    #expect(clock.deviceZone(at: noon).name == "Etc/GMT-3")
    _ = clock.deviceZone(at: noon)
    #expect(warnings.all.count == 1, "said once")
  }

  @Test("The settings choose the zone and the hour; a computed day is kept while it lasts")
  func chosen() throws {
    var clock = clock()
    let custom = settings {
      $0.timeZoneMode = .custom
      $0.customTimeZone = TimeZoneName("Pacific/Auckland")
      $0.dayStartsAt = 4
    }
    let days = clock.days(at: noon, settings: custom, home: nil)
    #expect(days.name.text == "Pacific/Auckland" && days.dayStart.minutes == 240)
    #expect(clock.known(at: noon) === days && clock.known(at: days.rollsAt) == nil)
    #expect(clock.days(at: days.rollsAt, settings: custom, home: nil).today == days.today.advanced(by: 1))
    clock.forgetDays()
    #expect(clock.known(at: noon) == nil)
  }

  @Test(
    "Without a home zone in the settings the device's is used; an unknown zone is reported and falls back to the device's"
  )
  func standIn() {
    let warnings = Notes<LogMessage>()
    var clock = clock(warnings)
    let home = settings { $0.timeZoneMode = .home }
    #expect(clock.days(at: noon, settings: home, home: TimeZoneName("Asia/Tokyo")).name.text == "Asia/Tokyo")
    clock.forgetDays()
    let days = clock.days(at: noon, settings: home, home: TimeZoneName("Mars/Olympus"))
    #expect(days.name == .utc && days.unknownZone == "Mars/Olympus" && warnings.all.count == 1)
  }
}
