import DaybookProtocol
import Values

/// Weights in kilograms.
package enum Loads {
  /// The greatest weight that a set can have, kg.
  package static let most = Decimal(2000)

  /// A weight of a unit in kilograms, rounded to 4 digits half away from zero; nil in a unit that weights of a set have not. The
  /// pound is 0.45359237 kg exactly (international agreement of 1959).
  package static func kilograms(_ weight: Decimal, _ unit: WeightUnit?) -> Decimal? {
    switch unit ?? .kg {
    case .kg: weight.rounded(toScale: 4)?.normalized
    case .lb: weight.multiplied(by: 45_359_237, over: 100_000_000, roundedTo: 4)?.normalized
    case .st, .unknown: nil
    }
  }

  /// Kilograms in a unit, rounded to so many digits half away from zero.
  package static func weight(_ kilograms: Decimal, in unit: WeightUnit, scale: Int = 2) -> Decimal? {
    switch unit {
    case .lb: kilograms.multiplied(by: 100_000_000, over: 45_359_237, roundedTo: scale)?.normalized
    case .kg, .st, .unknown: kilograms.rounded(toScale: scale)?.normalized
    }
  }
}

/// Distances in metres.
package enum Distances {
  /// A distance of a unit in metres, rounded to 3 digits half away from zero; nil in an unknown unit. The mile is 1609.344 m and the
  /// yard 0.9144 m exactly (international agreement of 1959).
  package static func metres(_ distance: Decimal, _ unit: DistanceUnit?) -> Decimal? {
    switch unit ?? .m {
    case .m: distance.rounded(toScale: 3)?.normalized
    case .km: distance.multiplied(by: 1000)?.normalized
    case .mi: distance.multiplied(by: 1_609_344, over: 1000, roundedTo: 3)?.normalized
    case .yd: distance.multiplied(by: 9144, over: 10_000, roundedTo: 3)?.normalized
    case .unknown: nil
    }
  }
}
