import DaybookProtocol

/// Converts typed volumes.
package enum VolumeUnits {
  /// The valid volumes of one drink, ml.
  package static let allowed = Decimal(1)...Decimal(20_000)

  /// A typed volume in millilitres, rounded to hundredths, half away from zero. The US fluid ounce is exactly 29.5735295625 ml
  /// (a gallon of 231 cubic inches has 128), the cup 8 fluid ounces.
  package static func millilitres(_ typed: TypedVolume) throws(Refusal) -> Decimal {
    guard let volume = metric(typed)?.normalized, allowed.contains(volume) else {
      throw Refusal("/value", "this is not the volume of one drink", allowed: allowedText(typed.unit))
    }
    return volume
  }

  private static func metric(_ typed: TypedVolume) -> Decimal? {
    switch typed.unit {
    case .ml: typed.value.rounded(toScale: 2)
    case .l: typed.value.multiplied(by: 1000, over: 1, roundedTo: 2)
    case .floz: typed.value.multiplied(by: 295_735_295_625, over: 10_000_000_000, roundedTo: 2)
    case .cup: typed.value.multiplied(by: 2_365_882_365, over: 10_000_000, roundedTo: 2)
    case .unknown: nil
    }
  }

  /// The valid volumes in words.
  package static func allowedText(_ unit: VolumeUnit) -> String {
    switch unit {
    case .ml, .unknown: "1 to 20000 ml"
    case .l: "1 ml to 20 l, which is 0.001 to 20 l"
    case .floz: "1 ml to 20 l, which is 0.034 to 676.28 floz"
    case .cup: "1 ml to 20 l, which is 0.005 to 84.535 cups"
    }
  }
}
