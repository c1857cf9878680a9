import DaybookProtocol

/// The steps of onboarding, and how its choices become settings.
package enum OnboardingRules {
  /// In order.
  package static let steps: [OnboardingStep] = OnboardingStep.known

  /// Steps reached in percent, truncated: (index + 1) ÷ count. An unknown step counts as the first.
  package static func progress(at step: OnboardingStep) -> Int {
    let index = steps.firstIndex(of: step) ?? 0
    return steps.isEmpty ? 0 : (index + 1) * 100 / steps.count
  }

  /// Earlier choices with the new ones, which win.
  package static func merging(_ new: OnboardingChoices?, into old: OnboardingChoices?) -> OnboardingChoices {
    var choices = old ?? OnboardingChoices()
    guard let new else { return choices }
    choices.sex = new.sex ?? choices.sex
    choices.age = new.age ?? choices.age
    // A measure replaces the earlier one, however either was given.
    if new.height != nil || new.heightTyped != nil {
      choices.height = new.height
      choices.heightTyped = new.heightTyped
    }
    if new.startingWeight != nil || new.startingWeightTyped != nil {
      choices.startingWeight = new.startingWeight
      choices.startingWeightTyped = new.startingWeightTyped
    }
    choices.activityLevel = new.activityLevel ?? choices.activityLevel
    choices.deficitRate = new.deficitRate ?? choices.deficitRate
    choices.currency = new.currency ?? choices.currency
    choices.notificationsEnabled = new.notificationsEnabled ?? choices.notificationsEnabled
    choices.mealReminders = new.mealReminders ?? choices.mealReminders
    return choices
  }

  /// The settings update that choices make; the preview uses it too.
  package static func update(_ choices: OnboardingChoices) -> SettingsUpdateParams {
    SettingsUpdateParams(
      deficitRate: choices.deficitRate, sex: choices.sex, age: choices.age, height: choices.height,
      startingWeight: choices.startingWeight, activityLevel: choices.activityLevel,
      notificationsEnabled: choices.notificationsEnabled, mealReminders: choices.mealReminders,
      currency: choices.currency, heightTyped: choices.heightTyped, startingWeightTyped: choices.startingWeightTyped)
  }
}
