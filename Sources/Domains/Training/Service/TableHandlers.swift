import DomainKit
import TableService
import Tables
import Training
import TrainingTables

/// Imports tables as sessions.
private struct TrainingTableReading: TableReading {
  let options: TrainingTableOptions
  let target: SessionTarget
  /// The operations that update the exercise entry a session is logged as, given both of its versions.
  let logged: @Sendable (_ new: WorkoutSession, _ old: WorkoutSession) throws(RPCError) -> [Operation]

  func read(_ bytes: [UInt8], limits: TableLimits, shouldContinue: (Int) -> Bool) throws(TableRefusal) -> TrainingTable
  {
    try TrainingTable.read(bytes, options, limits: limits, shouldContinue: shouldContinue)
  }

  func rows(of table: TrainingTable) -> TableRows {
    TableRows(table.sessions, target) { work, outcomes, text throws(RPCError) in
      if options.creates {
        for exercise in table.newExercises(outcomes, replaces: work.replaces, at: work.now) {
          try work.append(.add(exercise), to: &text)
        }
      }
      var replaced: [(old: WorkoutSession, new: WorkoutSession?)] = []
      for (row, outcome) in zip(table.sessions, outcomes.list) {
        guard let id = outcome.changed(replaces: work.replaces),
          let record = work.snapshot.record(id, in: WorkoutSession.collection)
        else { continue }
        let old = try work.migrations.decode(WorkoutSession.self, record)
        try work.append(.add(FormerSession(old, replacedAt: work.now)), to: &text)
        guard let new = row.draft.flatMap({ try? target.applied($0, to: old) }) else { continue }
        replaced.append((old, new))
        for operation in try logged(new, old) { work.append(operation, to: &text) }
      }
      for (stored, new) in TrainingService.taughtAgain(replaced, work.snapshot, work.migrations, at: work.now) {
        // An import deletes nothing: a state that no session teaches is as before the first one.
        guard
          let state = new
            ?? stored.map({ ProgressionState($0.id, of: $0.exerciseId, $0.programId, at: $0.createdAt) })
        else { continue }
        try work.append(state, to: &text)
      }
    }
  }

  var methods: (preview: Method, importing: Method) { (.trainingPreviewImport, .trainingImport) }
  var wanted: (words: String, field: String) { ("a day and an exercise", "exercise") }
}

/// The params that the preview and the import share.
private protocol TrainingTableParams: TableParams {
  var format: TrainingTableFormat? { get }
  var weightUnit: WeightUnit? { get }
  var distanceUnit: DistanceUnit? { get }
  var exercises: [String: String]? { get }
  var unknown: UnknownExercise? { get }
}

extension TrainingPreviewImportParams: TrainingTableParams {}
extension TrainingImportParams: TrainingTableParams {}

extension TrainingService {
  func trainingPreviewImport(
    _ params: TrainingPreviewImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<TrainingPreviewImportResult> {
    let (source, importer) = (try TableSource(params, context.days.zone), try TableImport(context))
    let reading = try reading(params, source, importer, context)
    return Deferred { work throws(RPCError) in
      let read = try await reading.preview(source, importer, work)
      let (table, outcomes) = (read.table, read.outcomes)
      return TrainingPreviewImportResult(
        format: table.known.format, encoding: table.encoding, delimiter: table.delimiterText,
        skippedLines: table.skipped,
        dateFormat: table.style.order, decimalMark: table.style.mark,
        weightUnit: table.weightUnit ?? reading.options.weightUnit, columns: table.columns,
        fields: table.known.shape.fields.map(\.name), rows: table.rows.count, sessions: outcomes.list.count,
        sets: table.setCount, new: outcomes.new, present: outcomes.present, different: outcomes.different,
        ignored: table.ignored, ignoredRows: table.told, refused: table.refused, problems: table.problems,
        unknownExercises: table.unknownExercises,
        first: zip(table.sessions, outcomes.list).prefix(params.limit ?? TableImport.shownRows).map { row, outcome in
          let (kind, id, differs) = outcome.wire
          var shown = TrainingTableRow(row: row.number, outcome: kind, id: id, differs: differs)
          shown.session = id.flatMap { id in
            row.draft.flatMap { reading.target.made(of: $0, id: id, at: importer.now) }
          }
          return shown
        }, revision: read.revision)
    }
  }

  func trainingImport(
    _ params: TrainingImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<TrainingImportResult> {
    let source = try TableSource(params, context.days.zone)
    let importer = try TableImport(context, params.onProblem, params.onDifferent)
    let reading = try reading(params, source, importer, context)
    return Deferred { work throws(RPCError) in
      let (table, counts) = try await reading.importTable(source, importer, work)
      let exercises = counts.summary.collections.first { $0.collection == CustomExercise.collection }
      return TrainingImportResult(
        format: table.known.format, skippedLines: table.skipped, rows: counts.rows, added: counts.added,
        replaced: counts.replaced,
        present: counts.present, different: counts.different, ignored: table.ignored, ignoredRows: table.told,
        refused: table.refused,
        problems: table.problems, exercisesAdded: exercises?.added ?? 0, changed: counts.summary.isChanged,
        undoable: counts.summary.isUndoable, backupId: counts.summary.backup?.description,
        revision: counts.summary.revision)
    }
  }

  /// How to read a table of sets and estimate the energy of its sessions.
  private func reading(
    _ params: some TrainingTableParams, _ source: TableSource, _ importer: TableImport, _ context: Context
  ) throws(RPCError) -> TrainingTableReading {
    let (records, fallback) = (try ProjectionSource(context), try context.settings().startingWeight)
    var weights: [(day: CivilDay, weight: Decimal)] = []
    context.offers.records.bodyWeights?.forEachBodyWeight(upTo: CivilDay.allowed.upperBound, in: records) {
      weights.append(($0, $1))
      return true
    }
    let latestFirst = weights
    let entries = context.offers.records.exerciseEntries
    let (isWanted, zone, now) = (try trainingSettings(context).logsEnergy, context.days.zone, context.now)
    return TrainingTableReading(
      options: try options(params, source, context),
      target: SessionTarget { session in
        let place = latestFirst.partitioningIndex { $0.day <= session.day }
        return (session.bodyWeight ?? (place < latestFirst.count ? latestFirst[place].weight : fallback)).double
      } earlier: {
        TrainingService.earlier($0, importer)
      },
      logged: { new, old throws(RPCError) in
        guard let entries else { return [] }
        let stored = try entries.entry(of: new.id, in: records)
        let entry = LoggedExercise.entry(of: new, after: old, stored: stored, isWanted: isWanted, zone: zone)
        // An import deletes nothing.
        return try entry.map { entry throws(RPCError) in
          try entries.operations(storing: entry, of: new.id, in: records, at: now)
        } ?? []
      })
  }

  /// All earlier versions of a session, oldest first; nil if one is missing.
  private static func earlier(_ session: WorkoutSession, _ importer: TableImport) -> [WorkoutSession]? {
    var versions: [WorkoutSession] = []
    while versions.count + 1 < session.version {
      let id = DerivedID.formerSession(session.id, versions.count + 1)
      guard let record = importer.snapshot.record(id, in: FormerSession.collection),
        let former = try? importer.migrations.decode(FormerSession.self, record)
      else { return nil }
      versions.append(former.session)
    }
    return versions
  }

  /// How to read a table of sets.
  private func options(
    _ params: some TrainingTableParams, _ source: TableSource, _ context: Context
  ) throws(RPCError) -> TrainingTableOptions {
    let settings = try trainingSettings(context)
    let unit = params.weightUnit ?? settings.weightUnit
    try RPCError.check(
      unit == .kg || unit == .lb, "sets are weighed in kilograms or pounds", pointer: "/weightUnit",
      allowed: "“kg” or “lb”")
    let days = context.days
    // A given weight unit implies the distance unit.
    let distance = params.distanceUnit ?? (params.weightUnit == nil ? settings.distanceUnit : unit == .lb ? .mi : .km)
    var options = TrainingTableOptions(
      weightUnit: unit, distanceUnit: distance, today: context.today, zone: context.zoneName,
      moment: { day, second in
        let instant = days.zone.instant(day, secondOfDay: second)
        return (instant, days.dayStart.day(at: instant, in: days.zone))
      }, finder: try finder(params.exercises ?? [:], context), identity: { DerivedID.row(ofKey: $0) })
    options.format = params.format
    options.scan = source.options
    options.creates = params.unknown == .create
    return options
  }

  /// The most names that a request maps to exercises.
  private static let mostNamed = 1000

  /// Resolves exercise names, some as the request says.
  private func finder(_ stated: [String: String], _ context: Context) throws(RPCError) -> ExerciseFinder {
    try RPCError.check(stated.count, atMost: TrainingService.mostNamed, "/exercises")
    let library = try library(context)
    var named: [String: LibraryExercise] = [:]
    for (name, wanted) in stated.sorted(by: { $0.key < $1.key }) {
      guard let exercise = EntityID(wanted).flatMap(library.exercise) ?? library.exercise(named: wanted) else {
        throw RPCError(
          .invalidParams, "the library has no “\(wanted.prefix(100))”", pointer: "/exercises/\(name.prefix(100))",
          allowed: "an id or a name of the library", hint: "“library/search” has them")
      }
      named[name] = exercise
    }
    return ExerciseFinder(
      stated: named, library: library,
      equipment: Dictionary(try equipment(context).map { ($0.id, $0.name) }) { first, _ in first })
  }

  /// Exports finished sessions as a table, oldest first.
  func trainingExport(
    _ params: TrainingExportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<TrainingExportResult> {
    let days = try PageRequest(from: params.from, to: params.to).days()
    if let path = params.path { try RPCError.checkAbsolute(path) }
    let (snapshot, migrations) = (try context.snapshot(), context.folder.migrations)
    let table = TableExport.sessions(hasMark: params.byteOrderMark ?? false)
    return Deferred { work throws(RPCError) in
      let export = try await TextExport.write(
        table, work, params.path, params.overwrite,
        of: { () throws(RPCError) -> [WorkoutSession] in
          var sessions: [WorkoutSession] = []
          for record in snapshot.records(in: WorkoutSession.collection, days: days) {
            sessions.append(try migrations.decode(WorkoutSession.self, record))
          }
          return sessions.sorted { ($0.day, $0.startedAt, $0.id) < ($1.day, $1.startedAt, $1.id) }
        }, row: { session throws(RPCError) in session })
      return TrainingExportResult(
        rows: export.value, bytes: export.bytes, revision: snapshot.revision, text: export.text)
    }
  }
}
