import DaybookProtocol

/// Converts typed weights.
package enum WeightUnits {
  /// The valid weights, kg.
  package static let allowed = Decimal(20)...Decimal(500)

  /// A typed weight in kilograms, rounded once, half away from zero, to `scale` digits.
  package static func kilograms(_ typed: TypedWeight, scale: Int = 3) throws(Refusal) -> Decimal {
    var (value, unit) = (typed.value, typed.unit)
    if let pounds = typed.pounds {
      guard unit == .st else {
        throw Refusal("/pounds", "“pounds” need the unit “st”", allowed: "nothing, or the unit “st”")
      }
      guard value.units(ofScale: 0) != nil else {
        throw Refusal("/value", "a part of a stone is given in “pounds”", allowed: "whole stones")
      }
      guard pounds < Decimal(14) else {
        throw Refusal("/pounds", "fourteen pounds make a stone", allowed: "less than 14")
      }
      value = value.multiplied(by: 14)?.adding(pounds) ?? value
      unit = .lb
    }
    guard let weight = kilograms(value, unit, scale: scale), allowed.contains(weight) else {
      throw Refusal("/value", "this is not a person's weight", allowed: allowedText(typed.unit))
    }
    return weight
  }

  /// Converts to kilograms, rounded half away from zero; nil for an unknown unit or on overflow. The pound is exactly
  /// 0.45359237 kg (international agreement of 1959), the stone 14 pounds.
  package static func kilograms(_ value: Decimal, _ unit: WeightUnit, scale: Int = 3) -> Decimal? {
    switch unit {
    case .kg: value.rounded(toScale: scale)?.normalized
    case .lb: value.multiplied(by: 45_359_237, over: 100_000_000, roundedTo: scale)?.normalized
    case .st: value.multiplied(by: 14 * 45_359_237, over: 100_000_000, roundedTo: scale)?.normalized
    case .unknown: nil
    }
  }

  /// The valid weights in words.
  package static func allowedText(_ unit: WeightUnit) -> String {
    switch unit {
    case .lb: "20 to 500 kg, which is 44.1 to 1102.3 lb"
    case .st: "20 to 500 kg, which is 3.15 to 78.73 st"
    case .kg, .unknown: "20 to 500 kg"
    }
  }
}

/// Converts typed heights.
package enum HeightUnits {
  /// The valid heights, cm.
  package static let allowed = Decimal(50)...Decimal(272)

  /// A typed height in centimetres, rounded to the millimetre, half away from zero. The inch is exactly 2.54 cm (international
  /// agreement of 1959), the foot 12 inches.
  package static func centimetres(_ typed: TypedHeight) throws(Refusal) -> Decimal {
    if let inches = typed.inches {
      guard typed.unit == .ft else {
        throw Refusal("/inches", "“inches” need the unit “ft”", allowed: "nothing, or the unit “ft”")
      }
      guard typed.value.units(ofScale: 0) != nil else {
        throw Refusal("/value", "a part of a foot is given in “inches”", allowed: "whole feet")
      }
      guard inches < Decimal(12) else {
        throw Refusal("/inches", "twelve inches make a foot", allowed: "less than 12")
      }
    }
    guard let height = metric(typed)?.normalized, allowed.contains(height) else {
      throw Refusal("/value", "this is not a person's height", allowed: allowedText(typed.unit))
    }
    return height
  }

  private static func metric(_ typed: TypedHeight) -> Decimal? {
    switch typed.unit {
    case .cm: typed.value.rounded(toScale: 1)
    case .in: typed.value.multiplied(by: 254, over: 100, roundedTo: 1)
    case .ft:
      typed.value.multiplied(by: 12)?.adding(typed.inches ?? .zero)?.multiplied(by: 254, over: 100, roundedTo: 1)
    case .unknown: nil
    }
  }

  /// The valid heights in words.
  package static func allowedText(_ unit: HeightUnit) -> String {
    switch unit {
    case .cm, .unknown: "50 to 272 cm"
    case .in: "50 to 272 cm, which is 19.67 to 107.1 in"
    case .ft: "50 to 272 cm, which is 1.64 to 8.92 ft"
    }
  }
}
