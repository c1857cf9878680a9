import DaybookProtocol
import Nutrition
import Values

/// The user's measures as typed, in their unit, beside the metric ones that everything is computed from.
package enum TypedMeasures {
  /// A typed weight as the settings keep it: kilograms, rounded to 10 g.
  package static func kilograms(_ typed: TypedWeight) throws(Refusal) -> Decimal {
    try WeightUnits.kilograms(typed, scale: 2)
  }

  /// Takes the measures of an update that `problem` has passed. What is typed sets the metric measure; a metric measure alone
  /// takes away what was typed.
  static func apply(_ update: SettingsUpdateParams, to settings: inout Settings) {
    if let typed = update.heightTyped, let height = try? HeightUnits.centimetres(typed) {
      (settings.height, settings.heightTyped) = (height, typed)
    } else if let height = update.height {
      (settings.height, settings.heightTyped) = (height, nil)
    }
    if let typed = update.startingWeightTyped, let weight = try? kilograms(typed) {
      (settings.startingWeight, settings.startingWeightTyped) = (weight, typed)
    } else if let weight = update.startingWeight {
      (settings.startingWeight, settings.startingWeightTyped) = (weight, nil)
    }
    if let typed = update.targetWeightTyped, let weight = try? kilograms(typed) {
      (settings.targetWeight, settings.targetWeightTyped) = (weight, typed)
    } else if let weight = update.targetWeight {
      (settings.targetWeight, settings.targetWeightTyped) = (weight, nil)
    }
  }

  /// What is wrong with the measures of an update; nil when nothing is.
  package static func problem(in update: SettingsUpdateParams) -> Refusal? {
    problem(update.heightTyped, update.height)
      ?? problem(update.startingWeightTyped, update.startingWeight, name: "startingWeight")
      ?? problem(update.targetWeightTyped, update.targetWeight, name: "targetWeight")
  }

  /// What is wrong with choices of the introduction; nil when nothing is.
  package static func problem(in choices: OnboardingChoices, pointer: String) -> Refusal? {
    problem(choices.heightTyped, choices.height, pointer: pointer)
      ?? problem(choices.startingWeightTyped, choices.startingWeight, name: "startingWeight", pointer: pointer)
  }

  /// What is wrong with stored settings whose measures are not what was typed; nil when nothing is.
  package static func problem(in settings: Settings) -> Refusal? {
    problem(settings.heightTyped, settings.height)
      ?? problem(settings.startingWeightTyped, settings.startingWeight, name: "startingWeight")
      ?? problem(settings.targetWeightTyped, settings.targetWeight, name: "targetWeight")
  }

  // A unit of a later version says nothing here, and is let be.

  private static func problem(_ typed: TypedHeight?, _ metric: Decimal?, pointer: String = "") -> Refusal? {
    guard let typed, HeightUnit.known.contains(typed.unit) else { return nil }
    return problem("height", metric, pointer) { () throws(Refusal) in try HeightUnits.centimetres(typed) }
  }

  private static func problem(
    _ typed: TypedWeight?, _ metric: Decimal?, name: String, pointer: String = ""
  ) -> Refusal? {
    guard let typed, WeightUnit.known.contains(typed.unit) else { return nil }
    return problem(name, metric, pointer) { () throws(Refusal) in try kilograms(typed) }
  }

  private static func problem(
    _ name: String, _ metric: Decimal?, _ pointer: String, _ convert: () throws(Refusal) -> Decimal
  ) -> Refusal? {
    do throws(Refusal) {
      let converted = try convert()
      guard let metric, metric != converted else { return nil }
      return Refusal(
        "\(pointer)/\(name)Typed", "“\(name)” says something else",
        allowed: "\(metric) in another unit, or one of both alone")
    } catch {
      return error.inside("\(pointer)/\(name)Typed")
    }
  }
}
