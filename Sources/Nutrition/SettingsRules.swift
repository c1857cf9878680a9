import DaybookProtocol
import Values

/// The defaults of the settings, and what an update makes of them.
package enum SettingsRules {
  /// The settings before anything was set: male, 32, 178 cm, 82.5 kg, regular movement, steady, and the numbers that follow.
  package static let defaults: Settings = {
    var settings = Settings(
      totalCalories: 0, totalCaloriesSource: .computed, targetDeficit: 0, targetDeficitSource: .computed,
      deficitRate: .steady, sex: .male, age: 32, height: Decimal(178),
      startingWeight: Decimal(significand: 825, scale: 1) ?? Decimal(82), activityLevel: .regularMovement,
      weeklyRestDayEnabled: true)
    compute(&settings)
    return settings
  }()

  /// The settings after an update.
  ///
  /// A total or deficit given becomes custom and stays, whatever else changes, until `recompute`. One that is not custom
  /// follows the measures, activity and pace. A pace given without a deficit makes the deficit computed again: choosing a pace
  /// is asking for its number.
  package static func applying(_ update: SettingsUpdateParams, to current: Settings) -> Settings {
    var settings = current
    settings.deficitRate = update.deficitRate ?? settings.deficitRate
    settings.sex = update.sex ?? settings.sex
    settings.age = update.age ?? settings.age
    settings.height = update.height ?? settings.height
    settings.startingWeight = update.startingWeight ?? settings.startingWeight
    settings.activityLevel = update.activityLevel ?? settings.activityLevel
    settings.weeklyRestDayEnabled = update.weeklyRestDayEnabled ?? settings.weeklyRestDayEnabled
    if update.recompute == true {
      settings.totalCaloriesSource = .computed
      settings.targetDeficitSource = .computed
    }
    if update.deficitRate != nil { settings.targetDeficitSource = .computed }
    if let total = update.totalCalories {
      settings.totalCalories = total
      settings.totalCaloriesSource = .custom
    }
    if let deficit = update.targetDeficit {
      settings.targetDeficit = deficit
      settings.targetDeficitSource = .custom
    }
    compute(&settings)
    return settings
  }

  /// The names of the members that differ, in the order of `Settings`. "82.50" is 82.5.
  package static func changes(from old: Settings, to new: Settings) -> [String] {
    func name(_ isSame: Bool, _ name: String) -> String? { isSame ? nil : name }
    return [
      name(old.totalCalories == new.totalCalories, "totalCalories"),
      name(old.totalCaloriesSource == new.totalCaloriesSource, "totalCaloriesSource"),
      name(old.targetDeficit == new.targetDeficit, "targetDeficit"),
      name(old.targetDeficitSource == new.targetDeficitSource, "targetDeficitSource"),
      name(old.deficitRate == new.deficitRate, "deficitRate"),
      name(old.sex == new.sex, "sex"),
      name(old.age == new.age, "age"),
      name(old.height == new.height, "height"),
      name(old.startingWeight == new.startingWeight, "startingWeight"),
      name(old.activityLevel == new.activityLevel, "activityLevel"),
      name(old.weeklyRestDayEnabled == new.weeklyRestDayEnabled, "weeklyRestDayEnabled"),
    ].compactMap { $0 }
  }

  /// Fills in the numbers that are computed.
  private static func compute(_ settings: inout Settings) {
    if settings.totalCaloriesSource == .computed {
      let person = EnergyRules.Person(
        sex: settings.sex, age: settings.age, height: settings.height, weight: settings.startingWeight,
        activityLevel: settings.activityLevel)
      settings.totalCalories = EnergyRules.totalCalories(person) ?? settings.totalCalories
    }
    if settings.targetDeficitSource == .computed {
      settings.targetDeficit = EnergyRules.targetDeficit(settings.deficitRate)
    }
  }
}
