import CivilTime
import DaybookProtocol
import Values

/// An exercise over all sessions.
package struct ExerciseHistory: Sendable {
  /// A session of it. Numbers are in ten-thousandths of their unit.
  package struct Point: Sendable {
    /// The session's place.
    package let session: Int
    package var sets: Int
    package var volume: Int64
    package var isLoadKnown: Bool
    package var all: Figures
    package var normal: Figures
    /// The records it set.
    package var records: [Record] = []
  }

  /// The best of a point: by the places of `RecordKind.known`, zero where there is none.
  package struct Figures: Sendable {
    package var weight: Int64 = 0
    package var oneRepMax: Int64 = 0
    package var reps: Int64 = 0
    package var seconds: Int64 = 0
    package var distance: Int64 = 0

    mutating func join(_ other: Figures) {
      weight = max(weight, other.weight)
      oneRepMax = max(oneRepMax, other.oneRepMax)
      reps = max(reps, other.reps)
      seconds = max(seconds, other.seconds)
      distance = max(distance, other.distance)
    }
  }

  /// A record of a session, in ten-thousandths of its unit.
  package struct Record: Sendable {
    package let kind: RecordKind
    package let value: Int64
    package let previous: Int64
  }

  /// The exercise of the library; nil of one that is known by its name alone.
  package let exerciseId: EntityID?
  /// What it is called: as its latest session says.
  package var name: String
  package var kind: TrainingKind
  package var points: [Point] = []

  package init(exerciseId: EntityID?, name: String, kind: TrainingKind) {
    (self.exerciseId, self.name, self.kind) = (exerciseId, name, kind)
  }

  /// Adds an exercise of a session that is not before those added.
  package mutating func add(_ facts: ExerciseFacts, _ session: Int, _ lifts: [Lift], _ formula: OneRepMaxFormula) {
    let all = Figures(facts.all, lifts, formula)
    let normal = facts.normal == facts.all ? all : Figures(facts.normal, lifts, formula)
    if let last = points.indices.last, points[last].session == session {
      points[last].sets += Int(facts.sets)
      points[last].volume += facts.volume
      points[last].isLoadKnown = points[last].isLoadKnown && facts.isLoadKnown
      points[last].all.join(all)
      points[last].normal.join(normal)
    } else {
      points.append(
        Point(
          session: session, sets: Int(facts.sets), volume: facts.volume, isLoadKnown: facts.isLoadKnown, all: all,
          normal: normal))
    }
  }

  /// Finds the records: what is more than the best before by more than 0.1. The first value of a kind is what others are compared
  /// with, and none itself.
  package mutating func findRecords() {
    var best = Best()
    for index in points.indices { points[index].records = best.add(points[index]) }
  }

  /// The best of all sessions so far, by the places of `RecordKind.known`.
  struct Best {
    private var values: [Int64] = Array(repeating: 0, count: RecordKind.known.count)
    /// More than this makes a record: 0.1.
    private static let margin: Int64 = 1000

    mutating func add(_ point: Point) -> [Record] {
      var records: [Record] = []
      for (place, kind) in RecordKind.known.enumerated() {
        let value = point.record(of: kind)
        if values[place] > 0, value > values[place] + Best.margin {
          records.append(Record(kind: kind, value: value, previous: values[place]))
        }
        values[place] = max(values[place], value)
      }
      return records
    }
  }
}

extension ExerciseHistory.Point {
  /// What counts for a kind of record; zero for nothing.
  func record(of kind: RecordKind) -> Int64 {
    switch kind {
    case .weight: normal.weight
    case .oneRepMax: normal.oneRepMax
    case .reps: normal.reps
    case .volume: isLoadKnown ? volume : 0
    case .seconds: normal.seconds
    case .distance: normal.distance
    case .unknown: 0
    }
  }
}

extension ExerciseHistory.Figures {
  init(_ bests: SetBests, _ lifts: [Lift], _ formula: OneRepMaxFormula) {
    weight = Int64(bests.weight)
    reps = Int64(bests.reps) * 10_000
    seconds = Int64(bests.seconds) * 10_000
    distance = bests.distance * 10
    for lift in lifts[Int(bests.lifts.lowerBound)..<Int(bests.lifts.upperBound)] {
      guard let factor = formula.factor(reps: Int(lift.reps)) else { continue }
      oneRepMax = max(oneRepMax, Int64((Double(lift.load) * factor).rounded(.toNearestOrAwayFromZero)))
    }
  }
}

/// Numbers in ten-thousandths.
package enum TenThousandths {
  /// The number with at most so many digits (0…4), half away from zero, without needless zeros.
  package static func decimal(_ value: Int64, digits: Int = 2) -> Decimal {
    (Decimal(significand: value, scale: 4)?.rounded(toScale: digits) ?? .zero).normalized
  }
}
