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
      seconds: int(point.all.seconds), distance: decimal(point.all.distance), records: point.records.map(\.kind))
  }

  /// How the estimate for one repetition rises, kg in 30 days, by least squares over the days; nil of fewer than two days.
  private func slope(_ points: [ExerciseHistory.Point], _ range: Range<Int>) -> Decimal? {
    guard let origin = range.first.map({ sessions[points[$0].session].day.daysSinceEpoch }) else { return nil }
    var (count, x, y, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0)
    // By its places: a point is large, and a copy of it is counted.
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

  /// Records, the latest first: of an exercise all there were; without one, those of all exercises that hold.
  ///
  /// - Parameter name: What the library calls an exercise.
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
