import DaybookProtocol
import Testing

@testable import SettingsDocument

@Suite("What the settings cannot take")
struct SettingsRefusalTests {
  private static func time(_ hour: Int) -> WallTime { WallTime(hour: hour, minute: 0) ?? .midnight }

  private func problem(
    _ update: SettingsUpdateParams, given current: Settings = SettingsRules.defaults
  ) -> Refusal? {
    SettingsRules.refusal(of: update, given: current) { $0.text != "Europe/Atlantis" }
  }

  @Test(
    "Each invalid member is refused with its pointer",
    arguments: [
      (SettingsUpdateParams(mealReminders: (0..<11).map { time($0) }), "/mealReminders"),
      (SettingsUpdateParams(mealReminders: [time(8), time(12), time(8)]), "/mealReminders/2"),
      (SettingsUpdateParams(reminderDays: [1, 31]), "/reminderDays/1"),
      (SettingsUpdateParams(reminderDays: [-1]), "/reminderDays/0"),
      (SettingsUpdateParams(reminderDays: [3, 3]), "/reminderDays/1"),
      (SettingsUpdateParams(currency: "usd"), "/currency"),
      (SettingsUpdateParams(currency: "EU€"), "/currency"),
      (SettingsUpdateParams(quietHours: .value(QuietHours(start: time(22), end: time(22)))), "/quietHours/end"),
      (SettingsUpdateParams(homeTimeZone: .value(unknownZone)), "/homeTimeZone"),
      (SettingsUpdateParams(customTimeZone: .value(unknownZone)), "/customTimeZone"),
      (SettingsUpdateParams(timeZoneMode: .custom), "/timeZoneMode"),
      (SettingsUpdateParams(timeZoneMode: .custom, customTimeZone: .null), "/timeZoneMode"),
    ])
  func places(_ update: SettingsUpdateParams, _ pointer: String) {
    #expect(problem(update)?.pointer == pointer)
    #expect(problem(update)?.allowed.isEmpty == false)
  }

  private static let unknownZone = TimeZoneName("Europe/Atlantis") ?? .utc

  @Test("The custom zone cannot be removed while it is in use")
  func customZone() throws {
    let zone = try #require(TimeZoneName("Asia/Tokyo"))
    let custom = SettingsUpdateParams(timeZoneMode: .custom, customTimeZone: .value(zone))
    #expect(problem(custom) == nil)
    let settings = SettingsRules.applying(custom, to: SettingsRules.defaults)
    #expect(problem(SettingsUpdateParams(customTimeZone: .null), given: settings)?.pointer == "/customTimeZone")
    #expect(problem(SettingsUpdateParams(timeZoneMode: .home, customTimeZone: .null), given: settings) == nil)
  }

  @Test("Values at their limits are accepted")
  func edges() {
    let times = (0..<10).map { SettingsRefusalTests.time($0) }
    let full = SettingsUpdateParams(mealReminders: times, reminderDays: [1, 2, 3, 4, 5, 6, 7], currency: "EUR")
    #expect(problem(full) == nil)
    #expect(problem(SettingsUpdateParams(quietHours: .null, mealReminders: [], reminderDays: [])) == nil)
    #expect(problem(SettingsUpdateParams()) == nil)
  }
}
