import DaybookProtocol

extension SetKind {
  /// Whether a set of the kind counts in volume: all except warm-ups.
  package var countsInVolume: Bool { self != .warmup }

  /// Whether a set of the kind may be a record: working sets only.
  package var countsInRecords: Bool { self == .normal }
}

extension WorkoutSession {
  /// The exercises in order, without those of skipped modules.
  package var countedExercises: [SessionExercise] { modules.filter { $0.skipped != true }.flatMap(\.exercises) }
}

extension SessionExercise {
  /// A done set that is not a warm-up.
  package struct CountedSet {
    package let set: SetRecord
    package let kind: SetKind
    /// False for the second side of the previous set.
    package let isFirstSide: Bool
  }

  /// The done sets without warm-ups, in order.
  package var countedSets: [CountedSet] {
    var counted: [CountedSet] = []
    forEachCountedSet { group, index, kind, isFirstSide in
      counted.append(CountedSet(set: groups[group].sets[index], kind: kind, isFirstSide: isFirstSide))
    }
    return counted
  }

  /// Calls `body` with the indices of the same sets, their kinds, and whether each is not the second side of the
  /// previous one. Copies no set: there may be hundreds of thousands.
  func forEachCountedSet(_ body: (_ group: Int, _ index: Int, _ kind: SetKind, _ isFirstSide: Bool) -> Void) {
    for group in groups.indices {
      var sides = SidePairing()
      for index in groups[group].sets.indices where groups[group].sets[index].done == true {
        let kind = groups[group].sets[index].kind ?? groups[group].kind ?? .normal
        guard kind.countsInVolume else { continue }
        let isSecond = sides.isSecond(groups[group].sets[index].side, groups[group].sets[index].number)
        body(group, index, kind, !isSecond)
      }
    }
  }
}

/// Recognizes the second side of a set: the next set with the same number and the other side. The two count as one set;
/// a third is another.
struct SidePairing {
  private var first: (side: SetSide, number: Int)?

  /// Whether the next set is the second side of the previous one.
  mutating func isSecond(_ side: SetSide?, _ number: Int) -> Bool {
    guard let side else {
      first = nil
      return false
    }
    if let first, first.side != side, first.number == number {
      self.first = nil
      return true
    }
    first = (side, number)
    return false
  }
}

extension [SetRecord] {
  /// For each set, whether it is the second side of the previous one.
  package var areSecondSides: [Bool] {
    var sides = SidePairing()
    return indices.map { sides.isSecond(self[$0].side, self[$0].number) }
  }

  /// The number of sets; two sides count as one.
  package var logicalCount: Int { areSecondSides.count { !$0 } }
}

extension SetValues {
  /// The weight in ten-thousandths of a kilogram; nil for none.
  package var load: Int64? {
    (kg ?? weight.flatMap { Loads.kilograms($0, weightUnit) })?.rounded(toScale: 4)?.significand
  }

  /// The distance in millimetres; nil for none.
  ///
  /// - Parameter unit: The unit when the set names none.
  package func millimetres(_ unit: DistanceUnit?) -> Int64? {
    distance.flatMap { Distances.metres($0, distanceUnit ?? unit) }?.rounded(toScale: 3)?.significand
  }
}

/// Conversions of weights.
package enum Loads {
  /// The greatest weight of a set, in kg.
  package static let most = Decimal(2000)

  /// A weight in kilograms, rounded to 4 digits half away from zero; nil for units that sets do not use. The pound is
  /// 0.45359237 kg exactly (international agreement of 1959).
  package static func kilograms(_ weight: Decimal, _ unit: WeightUnit?) -> Decimal? {
    switch unit ?? .kg {
    case .kg: weight.rounded(toScale: 4)?.normalized
    case .lb: weight.multiplied(by: 45_359_237, over: 100_000_000, roundedTo: 4)?.normalized
    case .st, .unknown: nil
    }
  }

  /// Kilograms in another unit, rounded to `scale` digits half away from zero.
  package static func weight(_ kilograms: Decimal, in unit: WeightUnit, scale: Int = 2) -> Decimal? {
    switch unit {
    case .lb: kilograms.multiplied(by: 100_000_000, over: 45_359_237, roundedTo: scale)?.normalized
    case .kg, .st, .unknown: kilograms.rounded(toScale: scale)?.normalized
    }
  }
}

/// Conversions of distances.
package enum Distances {
  /// A distance in metres, rounded to 3 digits half away from zero; nil for an unknown unit. The mile is 1609.344 m and
  /// the yard 0.9144 m exactly (international agreement of 1959).
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
