import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import NutritionTables
import Tables
import Values

extension Session {
  nonisolated func nutritionPreviewImport(
    _ params: NutritionPreviewImportParams, _ work: HeavyWork
  ) async throws(RPCError) -> NutritionPreviewImportResult {
    let source = try TableSource(params)
    let options = TableOptions(params, source)
    let (snapshot, configuration) = (try await snapshot(), folderConfiguration)
    let limit = params.limit ?? Session.shownRows
    let outcome = try await work.onThread("Reading") { monitor throws(StoreError) in
      try Session.read(source, options, configuration, monitor).map { table in
        NutritionPreviewImportResult(table, self.plan(table, snapshot), limit: limit, revision: snapshot.revision)
      }
    }
    switch outcome {
    case .success(let result): return result
    case .failure(let refusal): throw RPCError(refusal)
    }
  }

  /// Reads a table of meals, weights or days.
  private static func read(
    _ source: TableSource, _ options: TableOptions, _ configuration: FileStore.Configuration, _ monitor: WorkMonitor
  ) throws(StoreError) -> Result<ImportedTable, TableRefusal> {
    try source.read(configuration, monitor) { bytes, limits, goesOn throws(TableRefusal) in
      try TableImport.read(bytes, options, limits: limits, goesOn: goesOn)
    }
  }

  /// How many rows are shown when nobody says.
  static let shownRows = 20

  nonisolated func nutritionImport(
    _ params: NutritionImportParams, _ work: HeavyWork
  ) async throws(RPCError) -> NutritionImportResult {
    let source = try TableSource(params)
    let options = TableOptions(params, source)
    // What is changed from here on is newer than what the import makes of it, and stays.
    let now = now()
    let (snapshot, author, zone) = (try await snapshot(), await author, await zoneName)
    let (skips, replaces) = (params.onProblem == .skip, params.onDifferent == .replace)
    let ready = tableConfiguration(.nutritionImport)
    let outcome = try await work.onThread("Importing") {
      monitor throws(StoreError) -> Result<NutritionImportResult, RPCError> in
      let table: ImportedTable
      switch try Session.read(source, options, ready, monitor) {
      case .success(let read): table = read
      case .failure(let refusal): return .failure(RPCError(refusal))
      }
      if !skips, let problem = table.problems.first {
        return .failure(RPCError(problem, more: table.refused - 1))
      }
      let plan = self.plan(table, snapshot)
      let lines: [UInt8]
      do throws(RPCError) { lines = try self.lines(table, plan, replaces: replaces, zone, now) } catch {
        return .failure(error)
      }
      let summary = try FileStore.importRecords(
        .lines(lines), .merge, ready, author: author, check: { StoredForms.problem($0) }, monitor.part(50...100))
      return .success(NutritionImportResult(table, plan, summary))
    }
    let result = try outcome.get()
    if result.changed, result.undoable { await own(result.revision) }
    return result
  }

  /// The data folder to a method that imports a table.
  nonisolated func tableConfiguration(_ method: Method) -> FileStore.Configuration {
    var configuration = folderConfiguration
    configuration.importLabel = "\(method.name)"
    configuration.journaledImportLimit = Session.undoableRows
    configuration.journaledImportBytes = Session.undoableBytes
    return configuration
  }

  /// An import of more changes cannot be taken back as one: the feed of changes keeps so many.
  private static let undoableRows = 65_536
  /// The same for the bytes of the records, so that the change and its undoing fit into a line of the journal.
  private static let undoableBytes = 20 << 20

  /// The records that an import puts, as an export would have them.
  private nonisolated func lines(
    _ table: ImportedTable, _ plan: TablePlan, replaces: Bool, _ zone: TimeZoneName, _ now: Instant
  ) throws(RPCError) -> [UInt8] {
    switch table.kind {
    case .weights: try lines(WeightEntry.self, table, plan, replaces: replaces, zone, now)
    case .days: try lines(DayEntry.self, table, plan, replaces: replaces, zone, now)
    default: try lines(Meal.self, table, plan, replaces: replaces, zone, now)
    }
  }

  private nonisolated func lines<Entity: TableEntity>(
    _ type: Entity.Type, _ table: ImportedTable, _ plan: TablePlan, replaces: Bool, _ zone: TimeZoneName, _ now: Instant
  ) throws(RPCError) -> [UInt8] {
    var text = ExportText(created: now)
    for (index, row) in table.rows.enumerated() {
      switch plan.outcomes[index] {
      case .new(let id):
        guard let entity = Entity.made(of: row.content, id: id, zone: zone, at: now) else { continue }
        append(entity, id, entity.day, now, now, entity.json, &text)
      case .different(let id, _, _):
        guard replaces, let record = plan.records[index], let old = try? decode(Entity.self, record),
          var entity = old.applying(row.content, table.covered)
        else { continue }
        entity.updatedAt = max(now, old.updatedAt.advanced(by: 1))
        let body = try options.migrations.body(entity, keeping: record)
        append(entity, id, entity.day, record.createdAt, entity.updatedAt, body, &text)
      case .present(let target, let link?): append(link, to: target, in: Entity.collection, now, &text)
      case .present, .ignored, .refused: break
      }
    }
    return text.take()
  }

  /// Notes that a row is something else than what it would have made.
  nonisolated func append(
    _ link: EntityID, to target: EntityID, in collection: CollectionName, _ now: Instant, _ text: inout ExportText
  ) {
    let note = ImportLink(id: link, collection: collection.rawValue, target: target, createdAt: now, updatedAt: now)
    append(note, link, nil, now, now, note.json, &text)
  }

  /// Puts a record.
  nonisolated func append<Entity: StoredEntity>(
    _ entity: Entity, _ id: EntityID, _ day: CivilDay?, _ createdAt: Instant, _ updatedAt: Instant, _ body: [UInt8],
    _ text: inout ExportText
  ) {
    body.withUnsafeBytes { body in
      text.append(
        Entity.collection, id: id, day: day, createdAt: createdAt, updatedAt: updatedAt,
        schema: options.migrations.schema(of: Entity.collection),
        body: body)
    }
  }
}

extension NutritionImportResult {
  /// What an import has come to. Between the plan and the lock somebody else may have been faster.
  fileprivate init(_ table: ImportedTable, _ plan: TablePlan, _ summary: ImportSummary) {
    let collection =
      switch table.kind {
      case .weights: WeightEntry.collection
      case .days: DayEntry.collection
      default: Meal.collection
      }
    let counts = summary.collections.first { $0.collection == collection }
    let (added, replaced, same) = (counts?.added ?? 0, counts?.updated ?? 0, counts?.same ?? 0)
    self.init(
      format: table.format, kind: table.kind, rows: table.rows.count, added: added, replaced: replaced,
      present: plan.present + same, different: plan.new + plan.different - added - replaced - same,
      ignored: table.ignored, refused: table.refused, problems: table.problems.map { TableProblem($0) },
      changed: summary.isChanged, undoable: summary.isUndoable, backup: summary.backup?.description,
      revision: summary.revision)
  }
}
