import DaybookProtocol
import Values

/// The numbers of an estimate.
package enum EstimateRules {
  /// The most energy of a meal or an item, kcal.
  package static let mostCalories = 20_000
  /// The most of a macronutrient, grams.
  package static let mostGrams = 5000
  package static let mostItems = 50
  /// The default factor of an estimate, and its bounds.
  package static let usualFactor = Decimal(1)
  private static let leastFactor = Decimal(significand: 5, scale: 1) ?? usualFactor
  private static let greatestFactor = Decimal(2)

  /// The middle of a range, kcal, truncated. The bounds are clamped to 0…`mostCalories`; `high` counts as at least `low`.
  package static func midpoint(low: Int, high: Int) -> Int {
    let least = min(max(0, low), mostCalories)
    return (least + min(max(least, high), mostCalories)) / 2
  }

  /// The factor to use: 1 when none was requested; nil when it is not from 0.5 to 2.
  package static func factor(_ asked: Decimal?) -> Decimal? {
    guard let asked else { return usualFactor }
    return (leastFactor...greatestFactor).contains(asked) ? asked : nil
  }

  /// The allowed factors, in words.
  package static let allowedFactor = "a decimal from 0.5 to 2"

  /// `midpoint × factor`, rounded half away from zero, kcal; nil above `mostCalories`.
  ///
  /// - Parameter factor: A result of `factor(_:)`.
  package static func adjusted(midpoint: Int, factor: Decimal) -> Int? {
    guard (0...mostCalories).contains(midpoint), let hundredths = factor.units(ofScale: 2) else { return nil }
    let (product, overflow) = Int64(midpoint).multipliedReportingOverflow(by: hundredths)
    guard !overflow, product >= 0, product <= Int64(mostCalories) * 100 else { return nil }
    let rounded = Int((product + 50) / 100)
    return rounded <= mostCalories ? rounded : nil
  }
}
