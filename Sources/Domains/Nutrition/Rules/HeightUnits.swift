import DaybookProtocol
import Values

/// Heights as people type them.
package enum HeightUnits {
  /// What a height can be, in centimetres.
  package static let allowed = Decimal(50)...Decimal(272)

  /// A typed height in centimetres, rounded to the millimetre, half away from zero. The inch is 2.54 cm exactly (international
  /// agreement of 1959), the foot is 12 of it.
  package static func centimetres(_ typed: TypedHeight) throws(Refusal) -> Decimal {
    if let inches = typed.inches {
      guard typed.unit == .ft else {
        throw Refusal("/inches", "“inches” stand beside feet", allowed: "nothing, or the unit “ft”")
      }
      guard typed.value.units(ofScale: 0) != nil else {
        throw Refusal("/value", "a part of a foot is told in “inches”", allowed: "whole feet")
      }
      guard inches < Decimal(12) else {
        throw Refusal("/inches", "twelve inches are a foot", allowed: "less than 12")
      }
    }
    guard let height = metric(typed)?.normalized, allowed.contains(height) else {
      throw Refusal("/value", "nobody is of that height", allowed: allowedText(typed.unit))
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

  /// What may be typed in a unit, in words.
  package static func allowedText(_ unit: HeightUnit) -> String {
    switch unit {
    case .cm, .unknown: "50 to 272 cm"
    case .in: "50 to 272 cm, which is 19.67 to 107.1 in"
    case .ft: "50 to 272 cm, which is 1.64 to 8.92 ft"
    }
  }
}
