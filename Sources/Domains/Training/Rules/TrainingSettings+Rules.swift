import DaybookProtocol
import Values

extension TrainingSettings {
  /// What is in force before anything is set.
  package static func usual(_ units: UnitSystem) -> TrainingSettings {
    let unit: WeightUnit = units == .imperial ? .lb : .kg
    return TrainingSettings(
      weightUnit: unit, distanceUnit: units == .imperial ? .mi : .km, restSeconds: SetRules.rest, startsRest: true,
      oneRepMax: .brzycki, prefill: .target, bar: usualBar(unit), plates: usualPlates(unit), logsEnergy: true)
  }

  /// What an empty bar weighs.
  package static func usualBar(_ unit: WeightUnit) -> Decimal { Decimal(unit == .lb ? 45 : 20) }

  /// The plates of a gymnasium.
  package static func usualPlates(_ unit: WeightUnit) -> [Plate] {
    let weights = unit == .lb ? ["45", "35", "25", "10", "5", "2.5"] : ["25", "20", "15", "10", "5", "2.5", "1.25"]
    return weights.compactMap { Decimal($0) }.map { Plate(weight: $0) }
  }

  /// What is wrong with them; nil when nothing is.
  package var refusal: Refusal? {
    if weightUnit != .kg, weightUnit != .lb {
      return Refusal("/weightUnit", .form, "training is in kilograms or pounds", allowed: "“kg” or “lb”")
    }
    for (pointer, isUnknown) in [
      ("/distanceUnit", !DistanceUnit.known.contains(distanceUnit)),
      ("/oneRepMax", !OneRepMaxFormula.known.contains(oneRepMax)), ("/prefill", !PrefillOrder.known.contains(prefill)),
    ] where isUnknown {
      return Refusal(pointer, .form, "this version does not know it")
    }
    return Plate.refusal(of: plates)?.inside("/plates")
  }
}

extension Plate {
  /// The most sizes of plates.
  static let mostSizes = 30

  /// What is wrong with plates; nil when nothing is. Pointers lead into them.
  package static func refusal(of plates: [Plate]) -> Refusal? {
    if let refusal = Refusal.tooMany(plates.count, "sizes", most: mostSizes) { return refusal }
    if let place = plates.firstIndex(where: { $0.weight <= .zero }) {
      return Refusal("/\(place)/weight", .range, "a plate weighs something", allowed: "more than 0")
    }
    return .repeated(plates.map(\.weight), "/weight", "the size is there twice")
  }

  /// Heaviest first.
  package static func sorted(_ plates: [Plate]) -> [Plate] { plates.sorted { $0.weight > $1.weight } }
}
