import CivilTime
import DaybookProtocol
import Values

extension TrainingNumbers {
  /// How an exercise goes: over all sessions, with the points of some days; without any, over all days and without points.
  ///
  /// - Parameter name: What the library calls it; as its latest session does when nil.
  package func trend(
    _ history: ExerciseHistory, _ days: ClosedRange<CivilDay>? = nil, name: String?
  ) -> ExerciseTrend {
    let points = history.points.filter { days?.contains(sessions[$0.session].day) ?? true }
    return ExerciseTrend(
      exerciseId: history.exerciseId, name: name ?? history.name, kind: history.kind, sessions: history.points.count,
      lastDay: history.points.last.map { sessions[$0.session].day } ?? CivilDay(daysSinceEpoch: 0),
      slope: slope(points),
      points: days == nil ? [] : points.map(point))
  }

  private func point(_ point: ExerciseHistory.Point) -> ExercisePoint {
    func decimal(_ value: Int64) -> Decimal? { value > 0 ? TenThousandths.decimal(value) : nil }
    func int(_ value: Int64) -> Int? { value > 0 ? Int(value / 10_000) : nil }
    let session = sessions[point.session]
    return ExercisePoint(
      day: session.day, sessionId: session.id, sets: point.sets, weight: decimal(point.all.weight),
      reps: int(point.all.reps), oneRepMax: decimal(point.all.oneRepMax), volume: TenThousandths.decimal(point.volume),
      seconds: int(point.all.seconds), distance: decimal(point.all.distance), records: point.records.map(\.kind))
  }

  /// How the estimate for one repetition rises, kg in 30 days, by least squares over the days; nil of fewer than two days.
  private func slope(_ points: [ExerciseHistory.Point]) -> Decimal? {
    let known = points.filter { $0.all.oneRepMax > 0 }.map { point in
      (x: Double(sessions[point.session].day.daysSinceEpoch), y: Double(point.all.oneRepMax) / 10_000)
    }
    guard let first = known.first, let last = known.last, first.x < last.x else { return nil }
    let count = Double(known.count)
    let (x, y) = (known.reduce(0) { $0 + $1.x } / count, known.reduce(0) { $0 + $1.y } / count)
    let spread = known.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    let joint = known.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
    return Decimal(rounding: 30 * joint / spread, toScale: 2)
  }

  /// Records, the latest first: of an exercise all there were; without one, those of all exercises that hold.
  ///
  /// - Parameter name: What the library calls an exercise.
  package func records(
    of only: ExerciseHistory?, from: CivilDay?, limit: Int, name: (EntityID) -> String?
  ) -> [TrainingRecord] {
    var found: [(session: Int, history: ExerciseHistory, record: ExerciseHistory.Record)] = []
    for history in only.map({ [$0] }) ?? histories {
      var holding: Set<RecordKind> = []
      for point in history.points.reversed() {
        if let from, sessions[point.session].day < from { break }
        for record in point.records where only != nil || holding.insert(record.kind).inserted {
          found.append((point.session, history, record))
        }
      }
    }
    // Stable: those of a session stay in the order of their exercises and kinds.
    let order = found.indices.sorted { left, right in
      found[left].session != found[right].session ? found[left].session > found[right].session : left < right
    }
    return order.prefix(limit).map { record(found[$0].record, of: found[$0].history, found[$0].session, name) }
  }

  /// The records that a session sets among these.
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
