import DaybookProtocol
import Values

extension SetKind {
  /// Whether a set of the kind counts in volume: all but warm-ups.
  package var countsInVolume: Bool { self != .warmup }

  /// Whether a set of the kind can be a record: working sets alone.
  package var countsInRecords: Bool { self == .normal }
}

extension WorkoutSession {
  /// Its exercises in order, without those of modules that were left out.
  package var countedExercises: [SessionExercise] { modules.filter { $0.skipped != true }.flatMap(\.exercises) }
}

extension SessionExercise {
  /// A set that was done and is no warm-up.
  package struct CountedSet {
    package let set: SetRecord
    package let kind: SetKind
    /// Whether it is not the second side of the one before.
    package let isFirstSide: Bool
  }

  /// The sets that were done, without warm-ups, in order.
  package var countedSets: [CountedSet] {
    var counted: [CountedSet] = []
    for group in groups {
      var before: SetRecord?
      for set in group.sets where set.done == true {
        let kind = set.kind ?? group.kind ?? .normal
        guard kind.countsInVolume else { continue }
        let isSecond =
          set.side != nil && before?.side != nil && before?.side != set.side && before?.number == set.number
        counted.append(CountedSet(set: set, kind: kind, isFirstSide: !isSecond))
        before = isSecond ? nil : set
      }
    }
    return counted
  }
}

extension SetValues {
  /// The weight in ten-thousandths of a kilogram; nil without one.
  package var load: Int64? {
    (kg ?? weight.flatMap { Loads.kilograms($0, weightUnit) })?.rounded(toScale: 4)?.significand
  }

  /// The distance in millimetres, in the unit of the exercise where it names none; nil without one.
  package func millimetres(_ unit: DistanceUnit?) -> Int64? {
    distance.flatMap { Distances.metres($0, distanceUnit ?? unit) }?.rounded(toScale: 3)?.significand
  }
}
