import DaybookProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// An exercise over all sessions that have it.
package struct ExerciseHistory: Sendable {
  /// A session of the exercise. Values are in ten-thousandths of their unit.
  package struct Point: Sendable {
    /// The index of the session.
    package let session: Int
    package var sets: Int
    package var volume: Int64
    package var isLoadKnown: Bool
    package var all: Figures
    package var normal: Figures
    /// The records that the session set.
    package var records: [Record] = []
  }

  /// The bests of a point; zero where there is none.
  package struct Figures: Sendable {
    package var weight: Int64 = 0
    package var oneRepMax: Int64 = 0
    package var reps: Int64 = 0
    package var seconds: Int64 = 0
    package var distance: Int64 = 0
    /// The least assistance; nil where there is none, as zero is the best.
    package var help: Int64?

    mutating func join(_ other: Figures) {
      weight = max(weight, other.weight)
      oneRepMax = max(oneRepMax, other.oneRepMax)
      reps = max(reps, other.reps)
      seconds = max(seconds, other.seconds)
      distance = max(distance, other.distance)
      if let least = other.help { help = min(least, help ?? least) }
    }
  }

  /// A record, in ten-thousandths of its unit.
  package struct Record: Sendable {
    package let kind: RecordKind
    package let value: Int64
    package let previous: Int64
  }

  /// The exercise of the library; nil for one known by its name alone.
  package let exerciseId: EntityID?
  /// Its name in the latest session.
  package var name: String
  package var kind: TrainingKind
  package var points: [Point] = []

  /// Adds an exercise of a session, which must not precede those already added.
  mutating func add(_ facts: ExerciseFacts, _ session: Int, _ lifts: [Lift], _ formula: OneRepMaxFormula) {
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

  /// Finds the records: values that exceed the previous best of their kind by more than 0.1; assistance that falls
  /// below it by more. The first value of a kind is the baseline, not a record.
  mutating func findRecords() {
    var best = Best()
    for index in points.indices { points[index].records = best.add(points[index]) }
  }

  /// The bests so far, by index in `RecordKind.known`.
  struct Best {
    private var values: [Int64] = Array(repeating: 0, count: RecordKind.known.count)
    /// The margin that a record has to exceed: 0.1.
    private static let margin: Int64 = 1000

    mutating func add(_ point: Point) -> [Record] {
      var records: [Record] = []
      for (place, kind) in RecordKind.known.enumerated() {
        let value = point.record(of: kind)
        if values[place] > 0, value > values[place] + Best.margin {
          records.append(Record(kind: kind, value: kind.shown(value), previous: kind.shown(values[place])))
        }
        values[place] = max(values[place], value)
      }
      return records
    }
  }
}

extension ExerciseHistory.Point {
  /// The value that counts for a kind of record, the more the better; zero for none.
  func record(of kind: RecordKind) -> Int64 {
    switch kind {
    case .weight: normal.weight
    case .oneRepMax: normal.oneRepMax
    case .reps: normal.reps
    case .volume: isLoadKnown ? volume : 0
    case .seconds: normal.seconds
    case .distance: normal.distance
    case .assistance: normal.help.map { RecordKind.mostHelp - $0 } ?? 0
    case .unknown: 0
    }
  }
}

extension RecordKind {
  /// More than any assistance.
  fileprivate static let mostHelp: Int64 = Int64(Int32.max) + 1

  /// What `record(of:)` stands for.
  fileprivate func shown(_ value: Int64) -> Int64 { self == .assistance ? RecordKind.mostHelp - value : value }
}

extension ExerciseHistory.Figures {
  init(_ bests: SetBests, _ lifts: [Lift], _ formula: OneRepMaxFormula) {
    weight = Int64(bests.weight)
    reps = Int64(bests.reps) * 10_000
    seconds = Int64(bests.seconds) * 10_000
    distance = bests.distance * 10
    help = bests.help.map { Int64($0) }
    for lift in lifts[Int(bests.lifts.lowerBound)..<Int(bests.lifts.upperBound)] {
      guard let factor = formula.factor(reps: Int(lift.reps)) else { continue }
      oneRepMax = max(oneRepMax, Int64((Double(lift.load) * factor).rounded(.toNearestOrAwayFromZero)))
    }
  }
}

/// Values in ten-thousandths.
package enum TenThousandths {
  /// The value with at most `digits` fraction digits (0…4), rounded half away from zero, without trailing zeros.
  package static func decimal(_ value: Int64, digits: Int = 2) -> Decimal {
    (Decimal(significand: value, scale: 4)?.rounded(toScale: digits) ?? .zero).normalized
  }
}

extension TrainingStatistics {
  /// The trend of an exercise over all sessions, with the points of some days; without days, over all time and without
  /// points.
  ///
  /// - Parameter name: Its name in the library; nil for the name in its latest session.
  package func trend(
    _ history: ExerciseHistory, _ days: ClosedRange<CivilDay>? = nil, name: String?
  ) -> ExerciseTrend {
    let points = history.points
    let first = days.map { days in points.partitioningIndex { sessions[$0.session].day >= days.lowerBound } } ?? 0
    let end =
      days.map { days in points.partitioningIndex { sessions[$0.session].day > days.upperBound } } ?? points.count
    let range = first..<max(first, end)
    return ExerciseTrend(
      exerciseId: history.exerciseId, name: name ?? history.name, kind: history.kind, sessions: points.count,
      lastDay: points.last.map { sessions[$0.session].day } ?? CivilDay(daysSinceEpoch: 0),
      slope: slope(points, range), points: days == nil ? [] : points[range].map(point))
  }

  private func point(_ point: ExerciseHistory.Point) -> ExercisePoint {
    func decimal(_ value: Int64) -> Decimal? { value > 0 ? TenThousandths.decimal(value) : nil }
    func int(_ value: Int64) -> Int? { value > 0 ? Int(value / 10_000) : nil }
    let session = sessions[point.session]
    return ExercisePoint(
      day: session.day, sessionId: session.id, sets: point.sets, weight: decimal(point.all.weight),
      reps: int(point.all.reps), oneRepMax: decimal(point.all.oneRepMax), volume: TenThousandths.decimal(point.volume),
      seconds: int(point.all.seconds), distance: decimal(point.all.distance),
      assistance: point.all.help.map { TenThousandths.decimal($0) }, records: point.records.map(\.kind))
  }

  /// The slope of the estimated 1RM in kg per 30 days, by least squares over the days; nil for fewer than two days.
  private func slope(_ points: [ExerciseHistory.Point], _ range: Range<Int>) -> Decimal? {
    guard let origin = range.first.map({ sessions[points[$0].session].day.daysSinceEpoch }) else { return nil }
    var (count, x, y, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0)
    // Indexed, as iterating would copy the large points.
    for place in range where points[place].all.oneRepMax > 0 {
      let day = Double(sessions[points[place].session].day.daysSinceEpoch - origin)
      let most = Double(points[place].all.oneRepMax) / 10_000
      count += 1
      x += day
      y += most
      squares += day * day
      products += day * most
    }
    let spread = count * squares - x * x
    return spread > 0 ? Decimal(rounding: 30 * (count * products - x * y) / spread, toScale: 2) : nil
  }

  /// The records, latest first: of one exercise, all it ever set; without one, the standing records of all exercises.
  ///
  /// - Parameter name: The name of an exercise in the library.
  package func records(
    of only: ExerciseHistory?, from: CivilDay?, limit: Int, name: (EntityID) -> String?
  ) -> [TrainingRecord] {
    var found: [(session: Int, history: ExerciseHistory, record: ExerciseHistory.Record)] = []
    for history in only.map({ [$0] }) ?? histories {
      var holding: Set<RecordKind> = []
      for place in history.points.indices.reversed() where !history.points[place].records.isEmpty {
        let session = history.points[place].session
        if let from, sessions[session].day < from { break }
        for record in history.points[place].records where only != nil || holding.insert(record.kind).inserted {
          found.append((session, history, record))
        }
      }
    }
    // Stable: the records of a session keep the order of exercises and kinds.
    let order = found.indices.sorted { left, right in
      found[left].session != found[right].session ? found[left].session > found[right].session : left < right
    }
    return order.prefix(limit).map { record(found[$0].record, of: found[$0].history, found[$0].session, name) }
  }

  /// The records that a session sets.
  package func records(setBy id: EntityID, name: (EntityID) -> String?) -> [TrainingRecord] {
    guard let place = sessions.firstIndex(where: { $0.id == id }) else { return [] }
    return histories.flatMap { history in
      history.points.last { $0.session == place }?.records.map { record($0, of: history, place, name) } ?? []
    }
  }

  private func record(
    _ record: ExerciseHistory.Record, of history: ExerciseHistory, _ session: Int, _ name: (EntityID) -> String?
  ) -> TrainingRecord {
    TrainingRecord(
      exercise: history.exerciseId.flatMap(name) ?? history.name, exerciseId: history.exerciseId, kind: record.kind,
      value: TenThousandths.decimal(record.value), previous: TenThousandths.decimal(record.previous),
      day: sessions[session].day, sessionId: sessions[session].id)
  }
}

extension OneRepMaxFormula {
  /// The ratio of the estimated 1RM to the weight lifted `reps` times. Nil outside the formula's range: 1–12
  /// repetitions for Brzycki (1993), 1–30 for Epley (1985), Lombardi (1989), O'Conner (1989) and Wathan (1994).
  package func factor(reps: Int) -> Double? {
    guard reps != 1 else { return 1 }
    guard (2...(self == .brzycki ? 12 : 30)).contains(reps) else { return nil }
    let reps = Double(reps)
    return switch self {
    case .brzycki: 36 / (37 - reps)
    case .epley: 1 + reps / 30
    case .lombardi: pow(reps, 0.1)
    case .oconner: 1 + reps / 40
    case .wathan: 100 / (48.8 + 53.8 * exp(-0.075 * reps))
    case .unknown: nil
    }
  }

  /// The estimated one-repetition maximum for `reps` repetitions of `weight`, in its unit; nil outside the formula's
  /// range.
  package func oneRepMax(_ weight: Double, reps: Int) -> Double? { factor(reps: reps).map { weight * $0 } }
}
