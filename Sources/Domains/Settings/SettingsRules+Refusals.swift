import DaybookProtocol

// What an update of the settings is refused for though its members are well-formed.

extension SettingsRules {
  /// How many meal reminders a day may have.
  private static let mealReminderLimit = 10
  /// The allowed lead days of a charge reminder.
  private static let reminderDayRange = 0...30

  /// What is wrong with an update, if anything. `isKnownZone` tells whether the machine has the rules of a zone.
  package static func refusal(
    of update: SettingsUpdateParams, given current: Settings, isKnownZone: (TimeZoneName) -> Bool
  ) -> Refusal? {
    TypedMeasures.problem(in: update) ?? refusal(ofTimes: update.mealReminders, pointer: "/mealReminders")
      ?? daysProblem(update.reminderDays) ?? targetsProblem(update)
      ?? refusal(ofCurrency: update.currency, pointer: "/currency") ?? quietProblem(update.quietHours)
      ?? zoneProblem(update, given: current, isKnownZone: isKnownZone)
  }

  /// What is wrong with meal times, if anything.
  package static func refusal(ofTimes times: [WallTime]?, pointer: String) -> Refusal? {
    guard let times else { return nil }
    if times.count > mealReminderLimit {
      return Refusal(pointer, "there are \(times.count) times", allowed: "at most \(mealReminderLimit) times")
    }
    return repeated(times, pointer: pointer, allowed: "each time once")
  }

  /// What is wrong with a currency code, if anything.
  package static func refusal(ofCurrency code: String?, pointer: String) -> Refusal? {
    guard let code, !(code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }) else { return nil }
    return Refusal(
      pointer, "this is not a currency code",
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
      "/quietHours/end", "quiet hours cannot end when they begin",
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

  /// Refuses measures for which the energy equation becomes negative, unless they were so before.
  package static func refusal(ofEnergyOf new: Settings, since old: Settings, _ update: SettingsUpdateParams) -> Refusal?
  {
    let person = EnergyRules.Person(new)
    guard new.totalCaloriesSource == .computed,
      person != EnergyRules.Person(old) || old.totalCaloriesSource != .computed
    else { return nil }
    let members = [
      ("/startingWeight", update.startingWeight != nil), ("/startingWeightTyped", update.startingWeightTyped != nil),
      ("/height", update.height != nil), ("/heightTyped", update.heightTyped != nil), ("/age", update.age != nil),
      ("/sex", update.sex != nil),
    ]
    let named = members.first { $0.1 }?.0 ?? "/recompute"
    return EnergyRules.refusal(of: person, pointer: named)
  }
}
