import DomainKit
import Nutrition
import NutritionTables
import TableService
import Tables

/// The common params of the requests that read nutrition tables.
private protocol NutritionTableParams: TableParams {
  var format: TableFormat? { get }
  var energyUnit: TableEnergyUnit? { get }
  var weightUnit: WeightUnit? { get }
}

extension NutritionPreviewImportParams: NutritionTableParams {}
extension NutritionImportParams: NutritionTableParams {}

private struct NutritionTableReading: TableReading {
  private var options = TableOptions()
  private let zone: TimeZoneName

  init(_ params: some NutritionTableParams, _ source: TableSource, _ zone: TimeZoneName) {
    options.format = params.format
    options.scan = source.options
    options.energyUnit = params.energyUnit
    options.weightUnit = params.weightUnit
    self.zone = zone
  }

  func read(
    _ bytes: [UInt8], limits: TableLimits, shouldContinue: (Int) -> Bool
  ) throws(TableRefusal) -> NutritionTable {
    try NutritionTable.read(bytes, options, limits: limits, shouldContinue: shouldContinue)
  }

  func rows(of table: NutritionTable) -> TableRows {
    switch table.known.kind {
    case .weights where table.known.hasMeasurements:
      TableRows(
        of: table.entries, RowTarget<WeightEntry>(table, zone), RowTarget<Measurement>(table, zone)
      ) { draft in
        if case .measurement = draft { true } else { false }
      }
    case .weights: TableRows(table.rows, RowTarget<WeightEntry>(table, zone))
    case .days: TableRows(table.rows, RowTarget<DayEntry>(table, zone))
    case .exercises: TableRows(table.rows, RowTarget<Exercise>(table, zone))
    case .water: TableRows(table.rows, RowTarget<WaterEntry>(table, zone))
    case .measurements: TableRows(table.rows, RowTarget<Measurement>(table, zone))
    default: TableRows(table.rows, RowTarget<Meal>(table, zone))
    }
  }

  var methods: (preview: Method, importing: Method) { (.nutritionPreviewImport, .nutritionImport) }
  var wanted: (words: String, field: String) { ("a day and calories, or a day and a weight", "day") }
}

extension NutritionService {
  func nutritionPreviewImport(
    _ params: NutritionPreviewImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<NutritionPreviewImportResult> {
    let source = try TableSource(params, context.days.zone)
    let reading = NutritionTableReading(params, source, context.zoneName)
    let importer = try TableImport(context)
    return Deferred { work throws(RPCError) in
      NutritionService.preview(params, try await reading.preview(source, importer, work))
    }
  }

  private static func preview(
    _ params: NutritionPreviewImportParams, _ read: ComparedTable<KnownNutritionTable, NutritionDraft>
  ) -> NutritionPreviewImportResult {
    let (table, outcomes) = (read.table, read.outcomes)
    return NutritionPreviewImportResult(
      format: table.known.format, table: table.known.name, kind: table.known.kind,
      kinds: table.kinds.count > 1 ? table.kinds : nil,
      encoding: table.encoding, delimiter: table.delimiterText, skippedLines: table.skipped,
      dateFormat: table.style.order, decimalMark: table.style.mark,
      columns: table.columns, fields: table.known.shape.fields.map(\.name), rows: table.rows.count, new: outcomes.new,
      present: outcomes.present, different: outcomes.different, ignored: table.ignored, ignoredRows: table.told,
      refused: table.refused,
      problems: table.problems,
      first: zip(table.entries, outcomes.list).prefix(params.limit ?? TableImport.shownRows).map { row, outcome in
        let (kind, id, differs) = outcome.wire
        var shown = TableRow(row: row.number, outcome: kind, id: id, differs: differs)
        switch row.content {
        case .draft(.meal(let meal)): shown.meal = meal
        case .draft(.weight(let weight)): shown.weight = weight
        case .draft(.day(let entry)): shown.dayEntry = entry
        case .draft(.exercise(let exercise)): shown.exercise = exercise
        case .draft(.water(let water)): shown.water = water
        case .draft(.measurement(let measurement)): shown.measurement = measurement
        case .draft(.several), .ignored, .refused: break
        }
        return shown
      }, revision: read.revision)
  }

  func nutritionImport(
    _ params: NutritionImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<NutritionImportResult> {
    let source = try TableSource(params, context.days.zone)
    let reading = NutritionTableReading(params, source, context.zoneName)
    let importer = try TableImport(context, params.onProblem, params.onDifferent)
    return Deferred { work throws(RPCError) in
      let (table, counts) = try await reading.importTable(source, importer, work)
      return NutritionImportResult(
        format: table.known.format, kind: table.known.kind, skippedLines: table.skipped, rows: counts.rows,
        added: counts.added,
        replaced: counts.replaced, present: counts.present, different: counts.different, ignored: table.ignored,
        ignoredRows: table.told,
        refused: table.refused, problems: table.problems, changed: counts.summary.isChanged,
        undoable: counts.summary.isUndoable, backupId: counts.summary.backup?.description,
        revision: counts.summary.revision)
    }
  }

  /// Writes the entities of one kind as a table, oldest first.
  func nutritionExport(
    _ params: NutritionExportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<NutritionExportResult> {
    let days = try PageRequest(from: params.from, to: params.to).days()
    if let path = params.path { try RPCError.checkAbsolute(path) }
    let (snapshot, settings, migrations) = (try context.snapshot(), try context.settings(), context.folder.migrations)
    let hasMark = params.byteOrderMark ?? false
    return Deferred { work throws(RPCError) in
      func records<Entity: StoredEntity>(_ table: TableExport<Entity>) async throws(RPCError) -> WrittenText<Int> {
        try await TextExport.write(
          table, work, params.path, params.overwrite,
          of: { snapshot.records(in: Entity.collection, days: days).reversed() },
          row: { record throws(RPCError) in try migrations.decode(Entity.self, record) })
      }
      let export: WrittenText<Int>
      switch params.what {
      case .days:
        export = try await TextExport.write(
          TableExport.days(settings, hasMark: hasMark), work, params.path, params.overwrite,
          of: { () throws(RPCError) in
            try NutritionService.readNotedFacts(days ?? CivilDay.allowed, in: snapshot, migrations)
          }, row: { $0 })
      case .weights: export = try await records(TableExport.weights(hasMark: hasMark))
      case .exercises: export = try await records(TableExport.exercises(hasMark: hasMark))
      case .water: export = try await records(TableExport.water(hasMark: hasMark))
      case .measurements: export = try await records(TableExport.measurements(hasMark: hasMark))
      default: export = try await records(TableExport.meals(hasMark: hasMark))
      }
      return NutritionExportResult(
        rows: export.value, bytes: export.bytes, revision: snapshot.revision, text: export.text)
    }
  }

  /// The facts of the days with the notes of their entries.
  private static func readNotedFacts(
    _ days: ClosedRange<CivilDay>, in snapshot: Snapshot, _ migrations: RecordMigrations
  ) throws(RPCError) -> [(facts: DayFacts, note: String?)] {
    var notes: [CivilDay: String] = [:]
    let facts = try NutritionService.readFacts(days, in: snapshot, migrations)
    for record in snapshot.records(in: DayEntry.collection, days: days) {
      let entry = try migrations.decode(DayEntry.self, record)
      notes[entry.day] = entry.note
    }
    return facts.map { ($0, notes[$0.day]) }
  }
}
