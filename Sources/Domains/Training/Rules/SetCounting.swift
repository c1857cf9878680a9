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
    groups.flatMap { group in
      let sets = group.sets
      func kind(_ place: Int) -> SetKind { sets[place].kind ?? group.kind ?? .normal }
      let places = sets.indices.filter { sets[$0].done == true && kind($0).countsInVolume }
      return zip(places, sets.areSecondSides(places)).map { place, isSecond in
        CountedSet(set: sets[place], kind: kind(place), isFirstSide: !isSecond)
      }
    }
  }
}

extension [SetRecord] {
  /// Of each whether it is the other side of the one before: both have the same number, and are one set. A third is another.
  package var areSecondSides: [Bool] { areSecondSides(indices) }

  /// The same among those at some places. Places, as a set is large and copies of it are counted.
  func areSecondSides(_ places: some Collection<Int>) -> [Bool] {
    var first: Int?
    return places.map { index in
      let isSecond =
        first.map { before in
          self[index].side != nil && self[before].side != nil && self[index].side != self[before].side
            && self[index].number == self[before].number
        } ?? false
      first = isSecond ? nil : index
      return isSecond
    }
  }

  /// How many there are, both sides of one counted as one.
  package var logicalCount: Int { areSecondSides.count { !$0 } }
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
