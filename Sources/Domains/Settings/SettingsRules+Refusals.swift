import CivilTime
import DaybookProtocol
import Nutrition
import Values

// What is refused in an update of the settings, though each member has its form.

extension SettingsRules {
  /// The most times a day at which meals are reminded of.
  package static let mealReminderLimit = 10
  /// How many days before a charge it can be reminded of.
  package static let reminderDayRange = 0...30

  /// What is wrong with an update; nil when nothing is. `isKnownZone` says whether the machine has the rules of a zone.
  package static func refusal(
    of update: SettingsUpdateParams, given current: Settings, isKnownZone: (TimeZoneName) -> Bool
  ) -> Refusal? {
    TypedMeasures.problem(in: update) ?? refusal(ofTimes: update.mealReminders, pointer: "/mealReminders")
      ?? daysProblem(update.reminderDays) ?? targetsProblem(update)
      ?? refusal(ofCurrency: update.currency, pointer: "/currency") ?? quietProblem(update.quietHours)
      ?? zoneProblem(update, given: current, isKnownZone: isKnownZone)
  }

  /// What is wrong with times of meals; nil when nothing is.
  package static func refusal(ofTimes times: [WallTime]?, pointer: String) -> Refusal? {
    guard let times else { return nil }
    if times.count > mealReminderLimit {
      return Refusal(pointer, "there are \(times.count) times", allowed: "at most \(mealReminderLimit) times")
    }
    return repeated(times, pointer: pointer, allowed: "each time once")
  }

  /// What is wrong with a currency's code; nil when nothing is.
  package static func refusal(ofCurrency code: String?, pointer: String) -> Refusal? {
    guard let code, !(code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }) else { return nil }
    return Refusal(
      pointer, "this is no code of a currency",
      allowed: "three capital letters of ISO 4217, such as EUR")
  }

  private static func daysProblem(_ days: [Int]?) -> Refusal? {
    guard let days else { return nil }
    if let place = days.firstIndex(where: { !reminderDayRange.contains($0) }) {
      return Refusal("/reminderDays/\(place)", "out of range: \(days[place])", allowed: "an integer from 0 to 30")
    }
    return repeated(days, pointer: "/reminderDays", allowed: "each day once")
  }

  private static func targetsProblem(_ update: SettingsUpdateParams) -> Refusal? {
    if let rate = update.weeklyRate.value, case .unknown = rate.unit {
      return Refusal("/weeklyRate/unit", "this unit is not known", allowed: "kg or percent")
    }
    if let rate = update.weeklyRate.value, (rate.value.units(ofScale: 2) ?? 0) < 5 {
      return Refusal("/weeklyRate/value", "out of range: \(rate.value)", allowed: "a decimal from 0.05 to 2")
    }
    if let parts = update.macroPercentages.value, parts.protein + parts.carbs + parts.fat != 100 {
      return Refusal(
        "/macroPercentages", "together they are \(parts.protein + parts.carbs + parts.fat) percent",
        allowed: "parts that add up to 100")
    }
    guard let targets = update.weekdayTargets.value else { return nil }
    let days = targets.map(\.weekday)
    return repeated(days, pointer: "/weekdayTargets", allowed: "each day of the week once")
  }

  private static func repeated<Item: Hashable>(
    _ items: [Item], pointer: String, allowed: String
  ) -> Refusal? {
    var seen: Set<Item> = []
    guard let place = items.firstIndex(where: { !seen.insert($0).inserted }) else { return nil }
    return Refusal("\(pointer)/\(place)", "it is there twice", allowed: allowed)
  }

  private static func quietProblem(_ hours: Presence<QuietHours>) -> Refusal? {
    guard let hours = hours.value, hours.start == hours.end else { return nil }
    return Refusal(
      "/quietHours/end", "quiet hours that end when they begin are none",
      allowed: "another time than “start”; null for no quiet hours")
  }

  private static func zoneProblem(
    _ update: SettingsUpdateParams, given current: Settings, isKnownZone: (TimeZoneName) -> Bool
  ) -> Refusal? {
    for (zone, name) in [(update.homeTimeZone, "homeTimeZone"), (update.customTimeZone, "customTimeZone")] {
      if let zone = zone.value, !isKnownZone(zone) {
        return Refusal(
          "/\(name)", "the time zone \(zone.text) is not known here",
          allowed: "an IANA time zone, such as Europe/Berlin")
      }
    }
    let mode = update.timeZoneMode ?? current.timeZoneMode
    if mode == .custom, update.customTimeZone.applied(to: current.customTimeZone) == nil {
      return Refusal(
        update.timeZoneMode == nil ? "/customTimeZone" : "/timeZoneMode",
        "the mode “custom” needs a zone", allowed: "“customTimeZone” with it, or another mode")
    }
    return nil
  }

  /// What is wrong with the measures of an update by which the energy equation goes below zero; nil when nothing is, or it was so.
  package static func refusal(ofEnergyOf new: Settings, since old: Settings, _ update: SettingsUpdateParams) -> Refusal?
  {
    let person = EnergyRules.Person(new)
    guard new.totalCaloriesSource == .computed,
      person != EnergyRules.Person(old) || old.totalCaloriesSource != .computed
    else { return nil }
    let named =
      update.startingWeight != nil
      ? "/startingWeight"
      : update.startingWeightTyped != nil
        ? "/startingWeightTyped"
        : update.height != nil
          ? "/height"
          : update.heightTyped != nil
            ? "/heightTyped"
            : update.age != nil ? "/age" : update.sex != nil ? "/sex" : "/recompute"
    return EnergyRules.refusal(of: person, pointer: named)
  }
}
