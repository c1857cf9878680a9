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
    forEachCountedSet { group, index, kind, isFirstSide in
      counted.append(CountedSet(set: groups[group].sets[index], kind: kind, isFirstSide: isFirstSide))
    }
    return counted
  }

  /// Calls with the places of the same sets, with what each is for, and whether it is not the second side of the one before. No set is
  /// copied: there are hundreds of thousands.
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

/// Which sets, one after the other, are the second side of the one before: both have the same number, and are one set. A third is another.
struct SidePairing {
  private var first: (side: SetSide, number: Int)?

  /// Whether the next set is the second side of the one before.
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
  /// Of each whether it is the second side of the one before.
  package var areSecondSides: [Bool] {
    var sides = SidePairing()
    return indices.map { sides.isSecond(self[$0].side, self[$0].number) }
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
