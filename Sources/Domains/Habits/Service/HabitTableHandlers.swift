import DomainKit
import HabitTables
import Habits
import TableService
import Tables

/// Reads tables of habits and logs.
private struct HabitTableReading: TableReading {
  let options: HabitTableOptions

  func read(
    _ bytes: [UInt8], limits: TableLimits, shouldContinue: (Int) -> Bool
  ) throws(TableRefusal) -> HabitTable {
    try HabitTable.read(bytes, options, limits: limits, shouldContinue: shouldContinue)
  }

  func rows(of table: HabitTable) -> TableRows {
    table.known.kind == .habits
      ? TableRows(table.rows, HabitTarget(table, options.finder))
      : TableRows(table.entries, HabitLogTarget(table)) { work, outcomes, text throws(RPCError) in
        for change in table.habitChanges(outcomes, at: work.now) { try work.append(change, to: &text) }
      }
  }

  var methods: (preview: Method, importing: Method) { (.habitsPreviewImport, .habitsImport) }
  var wanted: (words: String, field: String) { ("the name of a habit and a day", "habit") }
}

/// The common params of requests that read such tables.
private protocol HabitTableParams: TableParams {
  var format: HabitTableFormat? { get }
  var habit: String? { get }
}

extension HabitsPreviewImportParams: HabitTableParams {}
extension HabitsImportParams: HabitTableParams {}

extension HabitsService {
  func habitsPreviewImport(
    _ params: HabitsPreviewImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<HabitsPreviewImportResult> {
    let source = try TableSource(params, context.days.zone)
    let importer = try TableImport(context)
    let reading = try reading(params, source, importer, context)
    return Deferred { work throws(RPCError) in
      HabitsService.preview(params, try await reading.preview(source, importer, work), reading.options.today)
    }
  }

  private static func preview(
    _ params: HabitsPreviewImportParams, _ read: ComparedTable<KnownHabitTable, HabitDraft>, _ today: CivilDay
  ) -> HabitsPreviewImportResult {
    let (table, outcomes) = (read.table, read.outcomes)
    var (new, earlier): ([String], [String]) = ([], [])
    for change in table.habitChanges(outcomes, at: Instant(milliseconds: 0)) {
      switch change {
      case .add(let habit): new.append(habit.name)
      case .put(let habit): earlier.append(habit.name)
      case .link: break
      }
    }
    let uncounted = table.uncountedHabits(outcomes).map(\.name)
    return HabitsPreviewImportResult(
      format: table.known.format, table: table.known.name, kind: table.known.kind, encoding: table.encoding,
      delimiter: table.delimiterText, skippedLines: table.skipped, dateFormat: table.style.order,
      decimalMark: table.style.mark,
      columns: table.columns, fields: table.known.shape.fields.map(\.name), rows: table.rows.count, new: outcomes.new,
      present: outcomes.present, different: outcomes.different, ignored: table.ignored, ignoredRows: table.told,
      refused: table.refused,
      problems: table.problems, newHabits: new, earlierHabits: earlier,
      uncountedHabits: uncounted.isEmpty ? nil : uncounted,
      first: zip(table.entries, outcomes.list).prefix(params.limit ?? TableImport.shownRows).map { row, outcome in
        let (kind, id, differs) = outcome.wire
        var shown = HabitTableRow(row: row.number, outcome: kind, id: id, differs: differs)
        switch row.content {
        case .draft(.habit(var habit, _)):
          habit.id = id ?? habit.id
          shown.habit = habit
        case .draft(.log(var log, _, _)):
          log.id = id ?? log.id
          shown.log = log
        case .draft(.several), .ignored, .refused: break
        }
        return shown
      }, revision: read.revision)
  }

  func habitsImport(
    _ params: HabitsImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<HabitsImportResult> {
    let source = try TableSource(params, context.days.zone)
    let importer = try TableImport(context, params.onProblem, params.onDifferent)
    let reading = try reading(params, source, importer, context)
    return Deferred { work throws(RPCError) in
      let (table, counts) = try await reading.importTable(source, importer, work)
      let habits = counts.summary.collections.first { $0.collection == Habit.collection }
      return HabitsImportResult(
        format: table.known.format, kind: table.known.kind, skippedLines: table.skipped, rows: counts.rows,
        added: counts.added,
        replaced: counts.replaced, present: counts.present, different: counts.different, ignored: table.ignored,
        ignoredRows: table.told,
        refused: table.refused, problems: table.problems,
        habitsAdded: table.known.kind == .logs ? habits?.added ?? 0 : 0, changed: counts.summary.isChanged,
        undoable: counts.summary.isUndoable, backupId: counts.summary.backup?.description,
        revision: counts.summary.revision)
    }
  }

  /// The options for reading a table, including the existing habits.
  private func reading(
    _ params: some HabitTableParams, _ source: TableSource, _ importer: TableImport, _ context: Context
  ) throws(RPCError) -> HabitTableReading {
    // Habits in an unknown later form are ignored.
    let stored = try context.snapshot().records(in: Habit.collection).compactMap { record in
      try? context.folder.migrations.decode(Habit.self, record)
    }
    let (zone, dayStart) = (context.days.zone, context.days.dayStart)
    let unchanged = stored.filter {
      $0.createdAt == $0.updatedAt && $0.startDay == dayStart.day(at: $0.createdAt, in: zone)
    }
    let book = unchanged.isEmpty ? nil : try book(context)
    let untouched = Set(unchanged.map(\.id).filter { book?[$0]?.logged == HabitHistory() })
    let finder = HabitFinder(
      stored, links: importer.links(in: Habit.collection), isUntouched: { untouched.contains($0.id) },
      logs: { HabitsService.logs(of: $0, importer) }
    ) { DerivedID.row(ofKey: $0) }
    var options = HabitTableOptions(today: context.today, zone: context.zoneName, finder: finder)
    options.format = params.format
    options.habit = params.habit
    options.scan = source.options
    return HabitTableReading(options: options)
  }

  /// The stored logs of some habits; those in an unknown later form are left out.
  private static func logs(of habits: Set<EntityID>, _ importer: TableImport) -> [HabitLog] {
    var logs: [HabitLog] = []
    importer.snapshot.forEachRecord(in: HabitLog.collection) { record in
      if let log = try? importer.migrations.decode(HabitLog.self, copy record), habits.contains(log.habitId) {
        logs.append(log)
      }
      return true
    }
    return logs
  }

  /// All habits in order; an unreadable one is an error, as it would be missing in the export.
  private static func habits(
    in snapshot: Snapshot, _ migrations: RecordMigrations
  ) throws(RPCError) -> [Habit] {
    try snapshot.records(in: Habit.collection)
      .map { record throws(RPCError) in try migrations.decode(Habit.self, record) }
      .sorted { ($0.order, $0.id) < ($1.order, $1.id) }
  }

  /// The logs of a range of days, ordered by day and id.
  private static func logs(in snapshot: Snapshot, _ days: ClosedRange<CivilDay>?) -> [Record] {
    snapshot.records(in: HabitLog.collection, days: days).sorted {
      ($0.day?.daysSinceEpoch ?? .min, $0.id) < ($1.day?.daysSinceEpoch ?? .min, $1.id)
    }
  }

  /// Exports habits or logs as a table. The order does not depend on creation times, which differ between copies.
  func habitsExport(
    _ params: HabitsExportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<HabitsExportResult> {
    let days = try PageRequest(from: params.from, to: params.to).days()
    if params.what == .habits, days != nil {
      throw RPCError(
        .invalidParams, "habits have no days", pointer: params.from == nil ? "/to" : "/from", allowed: "nothing here")
    }
    if let path = params.path { try RPCError.checkAbsolute(path) }
    let (snapshot, migrations) = (try context.snapshot(), context.folder.migrations)
    let habits = try HabitsService.habits(in: snapshot, migrations)
    let hasMark = params.byteOrderMark ?? false
    return Deferred { work throws(RPCError) in
      let export: WrittenText<Int>
      if params.what == .habits {
        export = try await TextExport.write(
          TableExport.habits(hasMark: hasMark), work, params.path, params.overwrite, of: { habits }, row: { $0 })
      } else {
        let names = Dictionary(habits.map { ($0.id, $0.name) }) { first, _ in first }
        export = try await TextExport.write(
          TableExport.habitLogs(names, hasMark: hasMark), work, params.path, params.overwrite,
          of: { () throws(RPCError) -> [Record] in HabitsService.logs(in: snapshot, days) },
          row: { record throws(RPCError) in try migrations.decode(HabitLog.self, record) })
      }
      return HabitsExportResult(
        rows: export.value, bytes: export.bytes, revision: snapshot.revision, text: export.text)
    }
  }
}
