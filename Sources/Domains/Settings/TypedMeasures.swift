import DaybookProtocol

/// The user's measures as typed, in addition to the metric ones used for computing.
package enum TypedMeasures {
  /// A typed weight in kilograms, rounded to 10 g.
  package static func kilograms(_ typed: TypedWeight) throws(Refusal) -> Decimal {
    try WeightUnits.kilograms(typed, scale: 2)
  }

  /// Applies the measures of an update without problems. A typed measure sets the metric one; a metric measure alone
  /// removes the typed one.
  static func apply(_ update: SettingsUpdateParams, to settings: inout Settings) {
    keep(update.heightTyped, update.height, HeightUnits.centimetres, &settings.height, &settings.heightTyped)
    keep(
      update.startingWeightTyped, update.startingWeight, kilograms, &settings.startingWeight,
      &settings.startingWeightTyped)
    keep(update.targetWeightTyped, update.targetWeight, kilograms, &settings.targetWeight, &settings.targetWeightTyped)
  }

  private static func keep<Typed>(
    _ newTyped: Typed?, _ newMetric: Decimal?, _ convert: (Typed) throws(Refusal) -> Decimal,
    _ metric: inout Decimal, _ typed: inout Typed?
  ) {
    let converted = newTyped.flatMap { try? convert($0) }
    guard let value = converted ?? newMetric else { return }
    (metric, typed) = (value, converted == nil ? nil : newTyped)
  }

  /// What is wrong with the measures of an update, if anything.
  package static func problem(in update: SettingsUpdateParams) -> Refusal? {
    problem(update.heightTyped, update.height)
      ?? problem(update.startingWeightTyped, update.startingWeight, name: "startingWeight")
      ?? problem(update.targetWeightTyped, update.targetWeight, name: "targetWeight")
  }

  /// What is wrong with onboarding choices, if anything.
  package static func problem(in choices: OnboardingChoices, pointer: String) -> Refusal? {
    problem(choices.heightTyped, choices.height, pointer: pointer)
      ?? problem(choices.startingWeightTyped, choices.startingWeight, name: "startingWeight", pointer: pointer)
  }

  /// Why stored measures do not match what was typed, if they do not.
  package static func problem(in settings: Settings) -> Refusal? {
    problem(settings.heightTyped, settings.height)
      ?? problem(settings.startingWeightTyped, settings.startingWeight, name: "startingWeight")
      ?? problem(settings.targetWeightTyped, settings.targetWeight, name: "targetWeight")
  }

  // A unit of a later version is not checked.

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
        "\(pointer)/\(name)Typed", "“\(name)” differs",
        allowed: "\(metric) in another unit, or one of both alone")
    } catch {
      return error.inside("\(pointer)/\(name)Typed")
    }
  }
}
