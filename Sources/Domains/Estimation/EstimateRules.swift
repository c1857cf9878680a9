import DaybookProtocol
import Values

/// What an estimate comes to.
package enum EstimateRules {
  /// The most kcal that a meal or a part of it can have.
  package static let mostCalories = 20_000
  /// The most grams of a macronutrient.
  package static let mostGrams = 5000
  /// The most parts of a meal.
  package static let mostItems = 50
  /// What an estimate is multiplied by when nobody says otherwise, and between which bounds.
  package static let usualFactor = Decimal(1)
  private static let leastFactor = Decimal(significand: 5, scale: 1) ?? usualFactor
  private static let greatestFactor = Decimal(2)

  /// The middle of a range, kcal, truncated. One whose bounds are not in order counts from the greater of 0 and `low` to the greater of
  /// that and `high`.
  package static func midpoint(low: Int, high: Int) -> Int {
    let least = min(max(0, low), mostCalories)
    return (least + min(max(least, high), mostCalories)) / 2
  }

  /// The factor that is used for one that was asked for, 1 when none was; nil when that is not from 0.5 to 2.
  package static func factor(_ asked: Decimal?) -> Decimal? {
    guard let asked else { return usualFactor }
    return (leastFactor...greatestFactor).contains(asked) ? asked : nil
  }

  /// What a factor may be, in words.
  package static let allowedFactor = "a decimal from 0.5 to 2"

  /// `midpoint × factor`, rounded half away from zero, kcal. Nil when that is more than a meal can have.
  ///
  /// - Parameter factor: As `factor(_:)` gives it.
  package static func adjusted(midpoint: Int, factor: Decimal) -> Int? {
    guard (0...mostCalories).contains(midpoint), let hundredths = factor.units(ofScale: 2) else { return nil }
    let (product, overflow) = Int64(midpoint).multipliedReportingOverflow(by: hundredths)
    guard !overflow, product >= 0, product <= Int64(mostCalories) * 100 else { return nil }
    let rounded = Int((product + 50) / 100)
    return rounded <= mostCalories ? rounded : nil
  }
}
