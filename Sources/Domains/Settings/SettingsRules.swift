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
    applyBody(update, to: &settings)
    TypedMeasures.apply(update, to: &settings)
    if update.recompute == true {
      settings.energyWeight = energyWeight?.source == .starting ? nil : energyWeight
    } else if settings.startingWeight != current.startingWeight {
      settings.energyWeight = nil
    }
    applyDays(update, to: &settings)
    applyReminders(update, to: &settings)
    compute(&settings)
    return settings
  }

  private static func applyBody(_ update: SettingsUpdateParams, to settings: inout Settings) {
    settings.deficitRate = update.deficitRate ?? settings.deficitRate
    settings.sex = update.sex ?? settings.sex
    settings.age = update.age ?? settings.age
    settings.activityLevel = update.activityLevel ?? settings.activityLevel
    settings.weeklyRestDayEnabled = update.weeklyRestDayEnabled ?? settings.weeklyRestDayEnabled
    settings.proteinTarget = update.proteinTarget.applied(to: settings.proteinTarget)
    settings.carbsTarget = update.carbsTarget.applied(to: settings.carbsTarget)
    settings.fatTarget = update.fatTarget.applied(to: settings.fatTarget)
    settings.nutrientTargets = update.nutrientTargets.applied(to: settings.nutrientTargets)
    settings.waterTarget = update.waterTarget.applied(to: settings.waterTarget)
    if update.recompute == true {
      settings.totalCaloriesSource = .computed
      settings.targetDeficitSource = .computed
    }
    settings.weekdayTargets = update.weekdayTargets.applied(to: settings.weekdayTargets).flatMap { targets in
      targets.isEmpty ? nil : Weekday.known.compactMap { day in targets.first { $0.weekday == day } }
    }
    settings.macroPercentages = update.macroPercentages.applied(to: settings.macroPercentages)
    if update.deficitRate != nil { settings.weeklyRate = nil }
    settings.weeklyRate = update.weeklyRate.applied(to: settings.weeklyRate)
    if update.deficitRate != nil || update.weeklyRate != .absent { settings.targetDeficitSource = .computed }
    if let total = update.totalCalories {
      settings.totalCalories = total
      settings.totalCaloriesSource = .custom
    }
    if let deficit = update.targetDeficit {
      settings.targetDeficit = deficit
      settings.targetDeficitSource = .custom
    }
  }

  private static func applyDays(_ update: SettingsUpdateParams, to settings: inout Settings) {
    settings.unitSystem = update.unitSystem ?? settings.unitSystem
    settings.appearance = update.appearance ?? settings.appearance
    settings.firstWeekday = update.firstWeekday.applied(to: settings.firstWeekday)
    settings.dayStartsAt = update.dayStartsAt ?? settings.dayStartsAt
    settings.timeZoneMode = update.timeZoneMode ?? settings.timeZoneMode
    settings.homeTimeZone = update.homeTimeZone.applied(to: settings.homeTimeZone)
    settings.customTimeZone = update.customTimeZone.applied(to: settings.customTimeZone)
  }

  private static func applyReminders(_ update: SettingsUpdateParams, to settings: inout Settings) {
    settings.notificationsEnabled = update.notificationsEnabled ?? settings.notificationsEnabled
    settings.quietHours = update.quietHours.applied(to: settings.quietHours)
    settings.mealReminders = update.mealReminders?.sorted() ?? settings.mealReminders
    settings.reminderTime = update.reminderTime ?? settings.reminderTime
    settings.reminderDays = update.reminderDays?.sorted() ?? settings.reminderDays
    settings.currency = update.currency ?? settings.currency
    settings.lockEnabled = update.lockEnabled ?? settings.lockEnabled
    settings.lockAfterMs = update.lockAfterMs ?? settings.lockAfterMs
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
