import CivilTime
import DaybookProtocol

/// Something in an update that the settings cannot take, though each member has its form.
package struct SettingsProblem: Error, Equatable, Sendable {
  /// The JSON Pointer of the member within the params.
  package let pointer: String
  package let message: String
  /// What would have been accepted, in words.
  package let allowed: String

  /// The most times a day at which meals are reminded of.
  package static let mealReminderLimit = 10
  /// How many days before a charge it can be reminded of.
  package static let reminderDayRange = 1...7

  /// What is wrong with an update; nil when nothing is. `isKnownZone` says whether the machine has the rules of a zone.
  package static func first(
    in update: SettingsUpdateParams, given current: Settings, isKnownZone: (TimeZoneName) -> Bool
  ) -> SettingsProblem? {
    TypedMeasures.problem(in: update) ?? timesProblem(update.mealReminders, pointer: "/mealReminders")
      ?? daysProblem(update.reminderDays)
      ?? currencyProblem(update.currency, pointer: "/currency") ?? quietProblem(update.quietHours)
      ?? zoneProblem(update, given: current, isKnownZone: isKnownZone)
  }

  /// What is wrong with times of meals; nil when nothing is.
  package static func timesProblem(_ times: [WallTime]?, pointer: String) -> SettingsProblem? {
    guard let times else { return nil }
    if times.count > mealReminderLimit {
      return SettingsProblem(
        pointer: pointer, message: "there are \(times.count) times", allowed: "at most \(mealReminderLimit) times")
    }
    return repeated(times, pointer: pointer, allowed: "each time once")
  }

  /// What is wrong with a currency's code; nil when nothing is.
  package static func currencyProblem(_ code: String?, pointer: String) -> SettingsProblem? {
    guard let code, !(code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }) else { return nil }
    return SettingsProblem(
      pointer: pointer, message: "this is no code of a currency",
      allowed: "three capital letters of ISO 4217, such as EUR")
  }

  private static func daysProblem(_ days: [Int]?) -> SettingsProblem? {
    guard let days else { return nil }
    if let place = days.firstIndex(where: { !reminderDayRange.contains($0) }) {
      return SettingsProblem(
        pointer: "/reminderDays/\(place)", message: "out of range: \(days[place])", allowed: "an integer from 1 to 7")
    }
    return repeated(days, pointer: "/reminderDays", allowed: "each day once")
  }

  private static func repeated<Item: Hashable>(
    _ items: [Item], pointer: String, allowed: String
  ) -> SettingsProblem? {
    var seen: Set<Item> = []
    guard let place = items.firstIndex(where: { !seen.insert($0).inserted }) else { return nil }
    return SettingsProblem(pointer: "\(pointer)/\(place)", message: "it is there twice", allowed: allowed)
  }

  private static func quietProblem(_ hours: Presence<QuietHours>) -> SettingsProblem? {
    guard let hours = hours.value, hours.start == hours.end else { return nil }
    return SettingsProblem(
      pointer: "/quietHours/end", message: "quiet hours that end when they begin are none",
      allowed: "another time than “start”; null for no quiet hours")
  }

  private static func zoneProblem(
    _ update: SettingsUpdateParams, given current: Settings, isKnownZone: (TimeZoneName) -> Bool
  ) -> SettingsProblem? {
    for (zone, name) in [(update.homeTimeZone, "homeTimeZone"), (update.customTimeZone, "customTimeZone")] {
      if let zone = zone.value, !isKnownZone(zone) {
        return SettingsProblem(
          pointer: "/\(name)", message: "the time zone \(zone.text) is not known here",
          allowed: "an IANA time zone, such as Europe/Berlin")
      }
    }
    let mode = update.timeZoneMode ?? current.timeZoneMode
    if mode == .custom, update.customTimeZone.applied(to: current.customTimeZone) == nil {
      return SettingsProblem(
        pointer: update.timeZoneMode == nil ? "/customTimeZone" : "/timeZoneMode",
        message: "the mode “custom” needs a zone", allowed: "“customTimeZone” with it, or another mode")
    }
    return nil
  }
}
