import DaybookProtocol
import Values

/// Weights as people type them.
package enum WeightUnits {
  /// What a weight can be, in kilograms.
  package static let allowed = Decimal(20)...Decimal(500)

  /// A typed weight in kilograms, rounded once, half away from zero, to so many digits: to the gram unless told otherwise.
  package static func kilograms(_ typed: TypedWeight, scale: Int = 3) throws(Refusal) -> Decimal {
    var (value, unit) = (typed.value, typed.unit)
    if let pounds = typed.pounds {
      guard unit == .st else {
        throw Refusal("/pounds", "“pounds” stand beside stones", allowed: "nothing, or the unit “st”")
      }
      guard value.units(ofScale: 0) != nil else {
        throw Refusal("/value", "a part of a stone is told in “pounds”", allowed: "whole stones")
      }
      guard pounds < Decimal(14) else {
        throw Refusal("/pounds", "fourteen pounds are a stone", allowed: "less than 14")
      }
      value = value.multiplied(by: 14)?.adding(pounds) ?? value
      unit = .lb
    }
    guard let weight = kilograms(value, unit, scale: scale), allowed.contains(weight) else {
      throw Refusal("/value", "nobody weighs that", allowed: allowedText(typed.unit))
    }
    return weight
  }

  /// A number of a unit in kilograms, rounded half away from zero; nil when its unit is not known or it does not fit. The pound
  /// is 0.45359237 kg exactly (international agreement of 1959), the stone is 14 of it.
  package static func kilograms(_ value: Decimal, _ unit: WeightUnit, scale: Int = 3) -> Decimal? {
    switch unit {
    case .kg: value.rounded(toScale: scale)?.normalized
    case .lb: value.multiplied(by: 45_359_237, over: 100_000_000, roundedTo: scale)?.normalized
    case .st: value.multiplied(by: 14 * 45_359_237, over: 100_000_000, roundedTo: scale)?.normalized
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
