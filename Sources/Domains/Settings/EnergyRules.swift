import DaybookProtocol

/// Energy expenditure by equation, and target deficits.
package enum EnergyRules {
  /// The calories to eat on a day without a target of its own: `totalCalories − targetDeficit`, kcal.
  package static func eatingTarget(_ settings: Settings) -> Int { settings.totalCalories - settings.targetDeficit }

  package struct Person: Sendable, Equatable {
    package var sex: Sex
    /// Years.
    package var age: Int
    /// Centimetres.
    package var height: Decimal
    /// Kilograms.
    package var weight: Decimal
    package var activityLevel: ActivityLevel

    package init(sex: Sex, age: Int, height: Decimal, weight: Decimal, activityLevel: ActivityLevel) {
      self.sex = sex
      self.age = age
      self.height = height
      self.weight = weight
      self.activityLevel = activityLevel
    }
  }

  /// Basal metabolic rate in kcal a day, exact: 10·kg + 6.25·cm − 5·years + 5 (male) or − 161 (any other).
  /// Mifflin, St Jeor et al. 1990. Nil only on overflow.
  package static func basalMetabolicRate(_ person: Person) -> Decimal? {
    let constant: Int64 = person.sex == .male ? 5 : -161
    guard let years = Int64(exactly: person.age), years.magnitude < 1_000_000,
      let weight = person.weight.multiplied(by: 10),
      let height = person.height.multiplied(by: 625, over: 100, roundedTo: 3),
      let sum = weight.adding(height)
    else { return nil }
    return sum.adding(Decimal(constant - 5 * years))?.normalized
  }

  /// The activity factor in thousandths; an unknown level counts as regular movement.
  package static func activityFactor(_ level: ActivityLevel) -> Int64 {
    switch level {
    case .mostlySeated: 1200
    case .lightMovement: 1375
    case .regularMovement, .unknown: 1550
    case .veryActive: 1725
    }
  }

  /// Total daily energy expenditure in kcal: the unrounded basal rate times activity, rounded half away from zero. Nil when it is
  /// not positive, which happens only for impossible measures.
  package static func totalCalories(_ person: Person) -> Int? {
    basalMetabolicRate(person)?
      .multiplied(by: activityFactor(person.activityLevel), over: 1000, roundedTo: 0)?
      .units(ofScale: 0).flatMap { $0 > 0 ? Int($0) : nil }
  }

  /// Refuses impossible measures. `pointer` leads to the one to name.
  package static func refusal(of person: Person, pointer: String) -> Refusal? {
    guard totalCalories(person) == nil else { return nil }
    return Refusal(
      pointer, .range, "the energy equation goes below zero for these measures together",
      allowed: "measures of a living person: heavier, taller or younger")
  }

  /// The daily deficit for a weekly weight loss at 7,700 kcal per kilogram, kcal, rounded half away from zero, at most 5,000.
  /// `weight` is in kilograms.
  package static func targetDeficit(_ rate: WeeklyRate, weight: Decimal) -> Int {
    // 7,700 ÷ 7 days = 1100.
    guard let hundredths = rate.value.units(ofScale: 2) else { return 5000 }
    let kilograms = rate.unit == .percent ? weight : Decimal(100)
    let daily = kilograms.multiplied(by: hundredths * 1100, over: 10_000, roundedTo: 0)
    return min(daily?.units(ofScale: 0).map { Int($0) } ?? 5000, 5000)
  }

  /// The daily deficit of a pace, kcal; an unknown pace counts as steady.
  package static func targetDeficit(_ rate: DeficitRate) -> Int {
    switch rate {
    case .gentle: 300
    case .steady, .unknown: 500
    case .fast: 750
    }
  }
}
