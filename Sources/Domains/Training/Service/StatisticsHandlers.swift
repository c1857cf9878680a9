import DomainKit
import Training

extension TrainingService {
  /// The most points of a series.
  private static let longestSeries = 4000

  func trainingOverview(_ params: NoParams, _ context: inout Context) throws(RPCError) -> TrainingOverviewResult {
    let statistics = try statistics(context)
    let library = try library(context)
    var overview = statistics.overview(today: context.today, firstWeekday: context.firstWeekday.index)
    overview.lifts = statistics.histories.lazy.filter { $0.kind == .strength }.prefix(3).map {
      statistics.trend($0, name: name($0, library))
    }
    return TrainingOverviewResult(overview: overview, revision: try context.storeRevision())
  }

  func trainingRecords(
    _ params: TrainingRecordsParams, _ context: inout Context
  ) throws(RPCError) -> TrainingRecordsResult {
    let statistics = try statistics(context)
    let library = try library(context)
    let revision = try context.storeRevision()
    var history: ExerciseHistory?
    if params.exerciseId != nil || params.name != nil {
      history = self.history(params.exerciseId, params.name, statistics, library)
      if history == nil { return TrainingRecordsResult(records: [], revision: revision) }
    }
    let records = statistics.records(of: history, from: params.from, limit: params.limit ?? 100) {
      library.exercise($0)?.traits.name
    }
    return TrainingRecordsResult(records: records, revision: revision)
  }

  func trainingExercise(
    _ params: TrainingExerciseParams, _ context: inout Context
  ) throws(RPCError) -> TrainingExerciseResult {
    try RPCError.check(
      params.exerciseId != nil || params.name != nil, "no exercise is named", pointer: "/exerciseId",
      allowed: "“exerciseId” or “name”")
    let statistics = try statistics(context)
    let library = try library(context)
    guard let history = history(params.exerciseId, params.name, statistics, library) else {
      throw RPCError(
        .notFound, "no session has this exercise", pointer: params.exerciseId == nil ? "/name" : "/exerciseId",
        hint: "“training/exercises” lists the exercises that sessions have")
    }
    let first = history.points.first.map { statistics.sessions[$0.session].day } ?? context.today
    let to = params.to ?? max(context.today, params.from ?? first)
    let from = params.from ?? min(first, to)
    let asked = try RPCError.days(from, to)
    return TrainingExerciseResult(
      trend: statistics.trend(history, asked, name: name(history, library)), revision: try context.storeRevision())
  }

  func trainingExercises(_ params: NoParams, _ context: inout Context) throws(RPCError) -> TrainingExercisesResult {
    let statistics = try statistics(context)
    let library = try library(context)
    return TrainingExercisesResult(
      exercises: statistics.histories.map { statistics.trend($0, name: name($0, library)) },
      revision: try context.storeRevision())
  }

  func trainingSeries(
    _ params: TrainingSeriesParams, _ context: inout Context
  ) throws(RPCError) -> JSONFragment<TrainingSeriesResult> {
    // Clients mostly repeat the last request.
    if let known = seriesMemory[context.folder], known.today == context.today,
      (known.params.from, known.params.to, known.params.by, known.params.muscle)
        == (params.from, params.to, params.by, params.muscle)
    {
      return JSONFragment(unchecked: known.text)
    }
    let text = try series(params, context).json
    seriesMemory[context.folder] = KnownSeries(params: params, today: context.today, text: text)
    return JSONFragment(unchecked: text)
  }

  private func series(
    _ params: TrainingSeriesParams, _ context: Context
  ) throws(RPCError) -> TrainingSeriesResult {
    let statistics = try statistics(context)
    let revision = try context.storeRevision()
    let step = params.by ?? .week
    guard let from = params.from ?? statistics.sessions.first?.day else {
      return TrainingSeriesResult(points: [], revision: revision)
    }
    let to = params.to ?? max(context.today, from)
    if params.from == nil, to < from { return TrainingSeriesResult(points: [], revision: revision) }
    let asked = try RPCError.days(from, to)
    try RPCError.check(
      asked.dayCount / step.leastDays < TrainingService.longestSeries, "the series is too long", pointer: "/to",
      allowed: "at most \(TrainingService.longestSeries) points", hint: "use a longer period in “by”")
    return TrainingSeriesResult(
      points: statistics.points(step, asked, firstWeekday: context.firstWeekday.index, muscle: params.muscle),
      revision: revision)
  }

  /// The name of an exercise in the library; nil when it is not there.
  private func name(_ history: ExerciseHistory, _ library: TrainingLibrary) -> String? {
    history.exerciseId.flatMap { library.exercise($0)?.traits.name }
  }

  /// The history of an exercise by its id, else by its name; nil when no session has it.
  private func history(
    _ id: EntityID?, _ name: String?, _ statistics: TrainingStatistics, _ library: TrainingLibrary
  ) -> ExerciseHistory? {
    if let id, let found = statistics.history(of: .id(id)) { return found }
    guard let name else { return nil }
    return statistics.history(of: TrainingStatistics.key(nil, name, library))
      ?? statistics.histories.first { SearchText.folded($0.name) == SearchText.folded(name) }
  }
}

extension SessionIndex: Projection {
  /// The digest of a month's sessions: their packed index.
  fileprivate static func digest(_ migrations: RecordMigrations) -> Digest {
    // Muscles are packed by their index, which another list of them changes.
    let version = "2.\(migrations.schema(of: WorkoutSession.collection)).\(MuscleGroup.known.count)"
    return Digest("training", version: version, of: [WorkoutSession.collection]) { _, records in
      var index = SessionIndex()
      guard (try? index.add(records, migrations)) != nil else { return nil }
      return index.packed
    }
  }

  package static let collections = [WorkoutSession.collection]
  package static let followedChanges = 256

  package static func isSlow(_ source: ProjectionSource) -> Bool { false }

  /// All stored sessions, in order.
  package init(_ source: ProjectionSource) {
    self.init()
    let snapshot = source.snapshot
    guard let span = snapshot.span(of: WorkoutSession.collection) else { return }
    // Whole months, so that their digests are used.
    let days = span.lowerBound.month.lowerBound...span.upperBound.month.upperBound
    snapshot.digests(SessionIndex.digest(source.migrations)).visit(
      WorkoutSession.collection, days, digest: { _, bytes in add(packed: bytes) },
      rest: { days in read(days, source) })
  }

  /// Reads the days of the changed sessions again.
  package mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) {
    let days = Set(changes.flatMap { [$0.day, $0.previousDay, $0.lastDay].compactMap { $0 } })
    for day in days {
      let start = sessions.partitioningIndex { $0.day >= day }
      let rest = Array(sessions[start...].drop { $0.day == day })
      sessions.removeSubrange(start...)
      read(day...day, source)
      sessions += rest
    }
  }

  /// Appends the sessions of some days.
  private mutating func read(_ days: ClosedRange<CivilDay>, _ source: ProjectionSource) {
    do throws(RPCError) {
      try add({ source.snapshot.forEachRecord(in: WorkoutSession.collection, days: days, $0) }, source.migrations)
    } catch { source.warn("a session is left out: \(error.message)") }
  }

  /// Appends the sessions of some records, sorted.
  ///
  /// - Throws: The error of an unreadable record; the others are added.
  private mutating func add(_ records: Digest.Records, _ migrations: RecordMigrations) throws(RPCError) {
    var problem: RPCError?
    var added: [SessionFacts] = []
    records { record in
      do throws(RPCError) {
        added.append(facts(of: try migrations.read(WorkoutSession.self, record, in: WorkoutSession.collection)))
      } catch { problem = error }
      return true
    }
    sessions += added.sorted(by: SessionFacts.isBefore)
    if let problem { throw problem }
  }
}

extension TrainingService {
  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [SessionIndex.digest(migrations)] }

  package static var internalEntities: [any CheckedEntity.Type] { [RunningModules.self] }

  /// The index of all finished sessions.
  func sessionIndex(_ context: Context) throws(RPCError) -> SessionIndex { try indexMemory.current(context) }

  /// The statistics over all finished sessions.
  func statistics(_ context: Context) throws(RPCError) -> TrainingStatistics {
    let sources = [WorkoutSession.collection, CustomExercise.collection, TrainingSettings.collection]
    return try statisticsMemory.current(context, sources) { () throws(RPCError) in
      TrainingStatistics(
        try sessionIndex(context), formula: try trainingSettings(context).oneRepMax, try library(context))
    }
  }

  /// The records that a session sets, whether or not it is stored yet.
  func newRecords(of session: WorkoutSession, _ context: Context) throws(RPCError) -> [TrainingRecord] {
    let library = try library(context)
    let index = try sessionIndex(context).with(session)
    let statistics = TrainingStatistics(
      index, formula: try trainingSettings(context).oneRepMax, library, only: session.id)
    return statistics.records(setBy: session.id) { library.exercise($0)?.traits.name }
  }
}
