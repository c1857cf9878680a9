import DaybookProtocol

/// What the introduction consists of, and what its choices are to the settings.
package enum OnboardingRules {
  /// The pages, in order.
  package static let steps: [OnboardingStep] = OnboardingStep.known

  /// Pages reached in percent of all, truncated: (index + 1) ÷ count. A page that is not known counts as the first.
  package static func progress(at step: OnboardingStep) -> Int {
    let index = steps.firstIndex(of: step) ?? 0
    return steps.isEmpty ? 0 : (index + 1) * 100 / steps.count
  }

  /// Choices made before with those made now, which win.
  package static func merging(_ new: OnboardingChoices?, into old: OnboardingChoices?) -> OnboardingChoices {
    var choices = old ?? OnboardingChoices()
    guard let new else { return choices }
    choices.sex = new.sex ?? choices.sex
    choices.age = new.age ?? choices.age
    // However a measure was given before, the one given now replaces it.
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

  /// The update of the settings that choices come to: what is shown before is what is saved.
  package static func update(_ choices: OnboardingChoices) -> SettingsUpdateParams {
    SettingsUpdateParams(
      deficitRate: choices.deficitRate, sex: choices.sex, age: choices.age, height: choices.height,
      startingWeight: choices.startingWeight, activityLevel: choices.activityLevel,
      notificationsEnabled: choices.notificationsEnabled, mealReminders: choices.mealReminders,
      currency: choices.currency, heightTyped: choices.heightTyped, startingWeightTyped: choices.startingWeightTyped)
  }
}
