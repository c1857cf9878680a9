import DaybookProtocol

/// The plates that make up a weight.
package struct PlateLoad: Equatable, Sendable {
  /// The plates of one side with their counts, heaviest first.
  package var perSide: [PlateStack] = []
  /// The weight of both sides and the bar.
  package var reached: Decimal

  /// The plates that come closest to a weight without exceeding it, preferring heavy plates. Nil below the weight of
  /// the bar.
  ///
  /// - Parameter plates: Each size once; half of a limited count is available per side.
  /// - Complexity: The number of sizes times the weight divided by the greatest common divisor of the sizes.
  package init?(_ weight: Decimal, bar: Decimal, plates: [Plate]) {
    guard let wanted = weight.units(ofScale: 3), let empty = bar.units(ofScale: 3), wanted >= empty else { return nil }
    let lightestFirst = Plate.sorted(plates).reversed().compactMap { plate in
      plate.weight.units(ofScale: 3).map {
        (plate: plate, pair: Int($0) * 2, pairs: plate.count.map { $0 / 2 } ?? Int.max)
      }
    }.filter { $0.pair > 0 && $0.pairs > 0 }
    let unit = lightestFirst.reduce(0) { PlateLoad.commonDivisor($0, $1.pair) }
    reached = bar
    guard unit > 0 else { return }
    // For each weight, the least n for which the n lightest sizes can make it.
    let room = Int(wanted - empty) / unit
    let unmade = UInt8.max
    var sizes = [UInt8](repeating: unmade, count: room + 1)
    sizes[0] = 0
    for (number, size) in lightestFirst.enumerated() {
      let step = size.pair / unit
      guard step <= room else { break }
      var used = [Int32](repeating: 0, count: room + 1)
      for place in step...room where sizes[place] == unmade && sizes[place - step] != unmade {
        guard used[place - step] < size.pairs else { continue }
        used[place] = used[place - step] + 1
        sizes[place] = UInt8(number + 1)
      }
    }
    var rest = sizes.lastIndex { $0 != unmade } ?? 0
    let made = rest
    for (number, size) in lightestFirst.enumerated().reversed() where rest > 0 {
      let step = size.pair / unit
      var count = min(size.pairs, rest / step)
      // The lighter sizes have to be able to make the rest.
      while count > 0, sizes[rest - count * step] > number { count -= 1 }
      guard count > 0 else { continue }
      rest -= count * step
      perSide.append(PlateStack(weight: size.plate.weight.normalized, count: count))
    }
    reached = Decimal(significand: empty + Int64(made * unit), scale: 3)?.normalized ?? bar
  }

  private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}

/// The warm-up sets before a working set.
package enum WarmupRules {
  /// The percentages of the working weight and their repetitions, after ten with the empty bar.
  private static let steps: [(percent: Int64, reps: Int)] = [(40, 5), (60, 3), (80, 2)]
  private static let repsOfBar = 10

  /// The weights and repetitions, lightest first, each lighter than the working weight; empty unless that exceeds the
  /// bar.
  package static func sets(_ weight: Decimal, bar: Decimal, plates: [Plate]) -> [(weight: Decimal, reps: Int)] {
    guard weight > bar else { return [] }
    var sets = bar > .zero ? [(weight: bar.normalized, reps: repsOfBar)] : []
    for step in steps {
      guard let part = weight.multiplied(by: step.percent, over: 100, roundedTo: 3),
        let load = PlateLoad(part, bar: bar, plates: plates), load.reached > sets.last?.weight ?? .zero
      else { continue }
      sets.append((load.reached, step.reps))
    }
    return sets
  }
}

extension TrainingSettings {
  /// The default settings.
  package static func defaults(_ units: UnitSystem) -> TrainingSettings {
    let unit: WeightUnit = units == .imperial ? .lb : .kg
    return TrainingSettings(
      weightUnit: unit, distanceUnit: units == .imperial ? .mi : .km, restSeconds: SetRules.rest, startsRest: true,
      oneRepMax: .brzycki, prefill: .target, bar: defaultBar(unit), plates: defaultPlates(unit), logsEnergy: true)
  }

  /// The default weight of the bar.
  package static func defaultBar(_ unit: WeightUnit) -> Decimal { Decimal(unit == .lb ? 45 : 20) }

  /// The default plates.
  package static func defaultPlates(_ unit: WeightUnit) -> [Plate] {
    let weights = unit == .lb ? ["45", "35", "25", "10", "5", "2.5"] : ["25", "20", "15", "10", "5", "2.5", "1.25"]
    return weights.compactMap { Decimal($0) }.map { Plate(weight: $0) }
  }

  /// The first violated rule; nil for none.
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
  /// The most plate sizes.
  static let mostSizes = 30

  /// The first rule that plates violate; nil for none. Pointers lead into the array.
  package static func refusal(of plates: [Plate]) -> Refusal? {
    if let refusal = Refusal.tooMany(plates.count, "sizes", most: mostSizes) { return refusal }
    if let place = plates.firstIndex(where: { $0.weight <= .zero }) {
      return Refusal("/\(place)/weight", .range, "a plate needs a weight", allowed: "more than 0")
    }
    return .repeated(plates.map(\.weight), "/weight", "the size occurs twice")
  }

  /// Heaviest first.
  package static func sorted(_ plates: [Plate]) -> [Plate] { plates.sorted { $0.weight > $1.weight } }
}
