import DaybookProtocol

/// What differs between two versions of the settings.
package enum SettingsChanges {
  private typealias Comparison = (name: String, isSame: @Sendable (Settings, Settings) -> Bool)

  /// One for each member, in the order of `Settings`.
  private static let comparisons: [Comparison] = [
    ("totalCalories", { $0.totalCalories == $1.totalCalories }),
    ("totalCaloriesSource", { $0.totalCaloriesSource == $1.totalCaloriesSource }),
    ("targetDeficit", { $0.targetDeficit == $1.targetDeficit }),
    ("targetDeficitSource", { $0.targetDeficitSource == $1.targetDeficitSource }),
    ("deficitRate", { $0.deficitRate == $1.deficitRate }),
    ("sex", { $0.sex == $1.sex }),
    ("age", { $0.age == $1.age }),
    ("height", { $0.height == $1.height }),
    ("startingWeight", { $0.startingWeight == $1.startingWeight }),
    ("activityLevel", { $0.activityLevel == $1.activityLevel }),
    ("weeklyRestDayEnabled", { $0.weeklyRestDayEnabled == $1.weeklyRestDayEnabled }),
    ("targetWeight", { $0.targetWeight == $1.targetWeight }),
    ("unitSystem", { $0.unitSystem == $1.unitSystem }),
    ("appearance", { $0.appearance == $1.appearance }),
    ("firstWeekday", { $0.firstWeekday == $1.firstWeekday }),
    ("dayStartsAt", { $0.dayStartsAt == $1.dayStartsAt }),
    ("timeZoneMode", { $0.timeZoneMode == $1.timeZoneMode }),
    ("homeTimeZone", { $0.homeTimeZone == $1.homeTimeZone }),
    ("customTimeZone", { $0.customTimeZone == $1.customTimeZone }),
    ("notificationsEnabled", { $0.notificationsEnabled == $1.notificationsEnabled }),
    ("quietHours", { $0.quietHours == $1.quietHours }),
    ("mealReminders", { $0.mealReminders == $1.mealReminders }),
    ("reminderTime", { $0.reminderTime == $1.reminderTime }),
    ("reminderDays", { $0.reminderDays == $1.reminderDays }),
    ("currency", { $0.currency == $1.currency }),
    ("lockEnabled", { $0.lockEnabled == $1.lockEnabled }),
    ("lockAfterMs", { $0.lockAfterMs == $1.lockAfterMs }),
    ("proteinTarget", { $0.proteinTarget == $1.proteinTarget }),
    ("carbsTarget", { $0.carbsTarget == $1.carbsTarget }),
    ("fatTarget", { $0.fatTarget == $1.fatTarget }),
    ("nutrientTargets", { $0.nutrientTargets == $1.nutrientTargets }),
    ("waterTarget", { $0.waterTarget == $1.waterTarget }),
    ("weeklyRate", { $0.weeklyRate == $1.weeklyRate }),
    ("weekdayTargets", { $0.weekdayTargets == $1.weekdayTargets }),
    ("macroPercentages", { $0.macroPercentages == $1.macroPercentages }),
    ("heightTyped", { $0.heightTyped == $1.heightTyped }),
    ("startingWeightTyped", { $0.startingWeightTyped == $1.startingWeightTyped }),
    ("targetWeightTyped", { $0.targetWeightTyped == $1.targetWeightTyped }),
    ("energyWeight", { $0.energyWeight == $1.energyWeight }),
  ]

  /// The names that are compared; a test holds them against the members of `Settings`.
  static var names: [String] { comparisons.map(\.name) }

  /// The names of the members that differ, in the order of `Settings`. "82.50" is 82.5.
  package static func names(from old: Settings, to new: Settings) -> [String] {
    comparisons.filter { !$0.isSame(old, new) }.map(\.name)
  }
}
