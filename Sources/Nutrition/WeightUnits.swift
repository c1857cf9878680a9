import DaybookProtocol
import Values

/// Weights as people type them.
package enum WeightUnits {
  /// What a weight can be, in kilograms.
  package static let allowed = Decimal(20)...Decimal(500)

  /// A typed weight in kilograms, rounded to the gram, half away from zero; nil when its unit is not known or it does not fit.
  /// The pound is 0.45359237 kg exactly (international agreement of 1959), the stone is 14 of it.
  package static func kilograms(_ value: Decimal, _ unit: WeightUnit) -> Decimal? {
    switch unit {
    case .kg: value.rounded(toScale: 3)?.normalized
    case .lb: value.multiplied(by: 45_359_237, over: 100_000_000, roundedTo: 3)?.normalized
    case .st: value.multiplied(by: 14 * 45_359_237, over: 100_000_000, roundedTo: 3)?.normalized
    case .unknown: nil
    }
  }

  /// What may be typed in a unit, in words.
  package static func allowedText(_ unit: WeightUnit) -> String {
    switch unit {
    case .lb: "20 to 500 kg, which is 44.1 to 1102.3 lb"
    case .st: "20 to 500 kg, which is 3.15 to 78.73 st"
    case .kg, .unknown: "20 to 500 kg"
    }
  }
}
