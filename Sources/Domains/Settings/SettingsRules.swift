import DaybookProtocol

/// The defaults of the settings, and how updates apply.
package enum SettingsRules {
  /// The initial settings: male, 32, 178 cm, 82.5 kg, regular movement, steady pace, and the numbers that follow;
  /// metric, days from midnight in the device's zone, reminders on, no lock.
  package static let defaults =
    computed(
      Settings(
        totalCalories: 0, totalCaloriesSource: .computed, targetDeficit: 0, targetDeficitSource: .computed,
        deficitRate: .steady, sex: .male, age: 32, height: Decimal(178),
        startingWeight: Decimal(significand: 825, scale: 1) ?? Decimal(82), activityLevel: .regularMovement,
        weeklyRestDayEnabled: true, targetWeight: Decimal(75), unitSystem: .metric, appearance: .system,
        firstWeekday: nil, dayStartsAt: 0, timeZoneMode: .current, homeTimeZone: nil, customTimeZone: nil,
        notificationsEnabled: true, quietHours: nil, mealReminders: [],
        reminderTime: WallTime(hour: 9, minute: 0) ?? .midnight,
        reminderDays: [1], currency: "USD", lockEnabled: false, lockAfterMs: 60_000))

  /// The settings in force: those that are stored, or the defaults. Computed numbers are computed from the rest, because
  /// members that two devices changed were merged one by one.
  package static func inForce(_ stored: Settings?) -> Settings { stored.map(computed) ?? defaults }

  /// The settings after an update without refusals.
  ///
  /// A stated total or deficit becomes custom until `recompute`; computed ones follow measures, activity and pace. A
  /// pace without a deficit makes the deficit computed. `recompute` uses `energyWeight` as the starting weight until
  /// that changes. Lists of times and days are sorted.
  package static func applying(
    _ update: SettingsUpdateParams, to current: Settings, energyWeight: EnergyWeight? = nil
  ) -> Settings {
    var settings = current
    settings.patch(update)
    (settings.heightTyped, settings.startingWeightTyped, settings.targetWeightTyped) =
      (current.heightTyped, current.startingWeightTyped, current.targetWeightTyped)
    TypedMeasures.apply(update, to: &settings)
    applyTargets(update, to: &settings)
    if update.mealReminders != nil { settings.mealReminders.sort() }
    if update.reminderDays != nil { settings.reminderDays.sort() }
    if update.recompute == true {
      settings.energyWeight = energyWeight?.source == .starting ? nil : energyWeight
    } else if settings.startingWeight != current.startingWeight {
      settings.energyWeight = nil
    }
    return computed(settings)
  }

  /// Updates the sources of the numbers, and sorts weekday targets.
  private static func applyTargets(_ update: SettingsUpdateParams, to settings: inout Settings) {
    if update.recompute == true {
      (settings.totalCaloriesSource, settings.targetDeficitSource) = (.computed, .computed)
    }
    settings.weekdayTargets = settings.weekdayTargets.flatMap { targets in
      targets.isEmpty ? nil : Weekday.known.compactMap { day in targets.first { $0.weekday == day } }
    }
    if update.deficitRate != nil, update.weeklyRate == .absent { settings.weeklyRate = nil }
    if update.deficitRate != nil || update.weeklyRate != .absent { settings.targetDeficitSource = .computed }
    if update.totalCalories != nil { settings.totalCaloriesSource = .custom }
    if update.targetDeficit != nil { settings.targetDeficitSource = .custom }
  }

  /// The settings with their computed numbers up to date.
  package static func computed(_ settings: Settings) -> Settings {
    var settings = settings
    if settings.totalCaloriesSource == .computed {
      settings.totalCalories = EnergyRules.totalCalories(EnergyRules.Person(settings)) ?? settings.totalCalories
    }
    if settings.targetDeficitSource == .computed {
      settings.targetDeficit =
        settings.weeklyRate.map { EnergyRules.targetDeficit($0, weight: EnergyRules.Person(settings).weight) }
        ?? EnergyRules.targetDeficit(settings.deficitRate)
    }
    return settings
  }

}

/// Differences between two versions of the settings.
package enum SettingsChanges {
  /// The names of the members that differ, in the order of `Settings`.
  package static func names(from old: Settings, to new: Settings) -> [String] {
    guard old != new else { return [] }
    let (before, after) = (members(of: old), members(of: new))
    return Settings.memberNames.filter { name in
      guard before[name] != after[name] else { return false }
      // Equal values may be written differently: 82.50 is 82.5.
      var changed = before
      changed[name] = after[name]
      return (try? Settings(json: JSONValue.object(changed).json)) != old
    }
  }

  static func members(of settings: Settings) -> JSONObject {
    guard case .object(let members)? = try? JSONValue(json: settings.json) else { return JSONObject() }
    return members
  }
}

extension SettingsRules {
  /// Why the lowest daily target may be too low; nil when nothing suggests so.
  package static func warnings(_ settings: Settings) -> [TargetWarning]? {
    let ofDays = (settings.weekdayTargets ?? []).map { target in
      (target: settings.totalCalories - target.targetDeficit, weekday: Optional(target.weekday))
    }
    // When every day has its own target, the general one applies to none.
    let ofAll: [(target: Int, weekday: Weekday?)] =
      ofDays.count < Weekday.known.count ? [(EnergyRules.eatingTarget(settings), nil)] : []
    guard let lowest = (ofAll + ofDays).min(by: { $0.target < $1.target }) else { return nil }
    let basal = EnergyRules.basalMetabolicRate(EnergyRules.Person(settings))?.rounded(toScale: 0)?.units(ofScale: 0)
    let limits = [
      (
        TargetWarningKind.belowBasalRate, basal.map { Int($0) },
        "basal metabolic rate, Mifflin and St Jeor 1990"
      ),
      (
        .belowMinimum, settings.sex == .male ? 1500 : 1200,
        "NHLBI, Aim for a Healthy Weight: eating plans of 1,200 to 1,500 kcal for women, 1,500 to 1,800 for men"
      ),
    ]
    let warnings = limits.compactMap { kind, limit, source -> TargetWarning? in
      guard let limit, lowest.target < limit else { return nil }
      return TargetWarning(
        kind: kind, eatingTarget: lowest.target, weekday: lowest.weekday, limit: limit, source: source)
    }
    return warnings.isEmpty ? nil : warnings
  }
}

extension EnergyRules.Person {
  /// The person described by the settings.
  package init(_ settings: Settings) {
    self.init(
      sex: settings.sex, age: settings.age, height: settings.height,
      weight: settings.energyWeight?.weight ?? settings.startingWeight,
      activityLevel: settings.activityLevel)
  }
}
