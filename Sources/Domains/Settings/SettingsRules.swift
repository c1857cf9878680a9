import CivilTime
import DaybookProtocol
import Nutrition
import Values

/// The defaults of the settings, and what an update makes of them.
package enum SettingsRules {
  /// The settings before anything was set: male, 32, 178 cm, 82.5 kg, regular movement, steady, and the numbers that follow; metric,
  /// days from midnight in the device's zone, reminders on, no lock.
  package static let defaults: Settings = {
    var settings = Settings(
      totalCalories: 0, totalCaloriesSource: .computed, targetDeficit: 0, targetDeficitSource: .computed,
      deficitRate: .steady, sex: .male, age: 32, height: Decimal(178),
      startingWeight: Decimal(significand: 825, scale: 1) ?? Decimal(82), activityLevel: .regularMovement,
      weeklyRestDayEnabled: true, targetWeight: Decimal(75), unitSystem: .metric, appearance: .system,
      firstWeekday: nil, dayStartsAt: 0, timeZoneMode: .current, homeTimeZone: nil, customTimeZone: nil,
      notificationsEnabled: true, quietHours: nil, mealReminders: [],
      reminderTime: WallTime(hour: 9, minute: 0) ?? .midnight,
      reminderDays: [1], currency: "USD", lockEnabled: false, lockAfterMs: 60_000)
    compute(&settings)
    return settings
  }()

  /// The settings after an update that `SettingsCheck` has passed.
  ///
  /// A total or deficit given becomes custom and stays until `recompute`. One that is not custom
  /// follows the measures, activity and pace. A pace given without a deficit makes the deficit computed again: choosing a pace
  /// is asking for its number. `recompute` takes `energyWeight` for the weight at the start, until that is set. Lists of times and days are put in order.
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
    compute(&settings)
    return settings
  }

  /// Says where the numbers come from after an update, and puts targets of weekdays in order.
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

  /// The settings with the numbers that are computed.
  package static func computed(_ settings: Settings) -> Settings {
    var computed = settings
    compute(&computed)
    return computed
  }

  /// Fills in the numbers that are computed.
  private static func compute(_ settings: inout Settings) {
    if settings.totalCaloriesSource == .computed {
      settings.totalCalories = EnergyRules.totalCalories(EnergyRules.Person(settings)) ?? settings.totalCalories
    }
    if settings.targetDeficitSource == .computed {
      settings.targetDeficit =
        settings.weeklyRate.map { EnergyRules.targetDeficit($0, weight: EnergyRules.Person(settings).weight) }
        ?? EnergyRules.targetDeficit(settings.deficitRate)
    }
  }
}
