import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Tables
import Values

/// An import of a table, or its preview: the same for all domains, which say what the table and its rows are.
package struct TableImport: Sendable {
  /// What it reads records with.
  package let migrations: RecordMigrations
  package let snapshot: Snapshot
  package let now: Instant
  /// Whether what differs becomes what its row says, and whether what cannot be used is passed over.
  package private(set) var replaces = false
  private(set) var skips = false

  init(migrations: RecordMigrations, snapshot: Snapshot, now: Instant) {
    self.migrations = migrations
    self.snapshot = snapshot
    self.now = now
  }

  /// An import into what is stored now.
  package init(_ context: Context, _ onProblem: OnProblem? = nil, _ onDifferent: OnDifferent? = nil) throws(RPCError) {
    self.init(migrations: context.folder.migrations, snapshot: try context.snapshot(), now: context.now)
    (skips, replaces) = (onProblem == .skip, onDifferent == .replace)
  }

  /// How many rows a preview shows when nothing is said.
  package static let shownRows = 20
  /// An import of more changes cannot be taken back as one: the change and its undoing each have to fit into a line of the journal, where
  /// a record takes about 200 bytes beside its text.
  private static let undoableRows = 100_000
  /// The same for the bytes of the records.
  private static let undoableBytes = 32 << 20

  /// Bytes of records that are handed over at a time.
  private static let piece = 1 << 20

  /// The data folder to a method that imports a table.
  static func configuration(_ method: Method, _ work: any Work) -> FileStore.Configuration {
    var configuration = work.configuration
    configuration.importLabel = "\(method.name)"
    configuration.journaledImportLimit = undoableRows
    configuration.journaledImportBytes = undoableBytes
    return configuration
  }

  /// Compares the rows of a table with what is stored. Takes as long as reading all there is of their kind.
  ///
  /// - Throws: `cancelled`.
  func plan<Target: TableTarget>(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target, _ monitor: WorkMonitor
  ) throws(StoreError) -> TablePlan<Target> where Target.Entity: StoredEntity {
    var plan = TablePlan(
      rows, target, identity: DerivedID.row(ofKey:), links: { links(in: Target.Entity.collection, to: $0) },
      imported: { imported(in: Target.Entity.collection) })
    snapshot.forEachRecord(in: Target.Entity.collection) { record in
      let record = copy record
      plan.take(record.id, day: record.day) { try? migrations.decode(Target.Entity.self, record) }
      return !monitor.isCancelled()
    }
    try plan.compare { () throws(StoreError) in try monitor.check() }
    return plan
  }

  /// What rows were found to be when they were imported before, by the identities that they would have.
  package func links(in collection: CollectionName) -> [EntityID: EntityID] {
    var links: [EntityID: EntityID] = [:]
    snapshot.forEachRecord(in: ImportLink.collection) { record in
      if let link = try? migrations.decode(ImportLink.self, copy record), link.collection == collection.rawValue {
        links[link.id] = link.target
      }
      return true
    }
    return links
  }

  /// What any rows were found to be.
  private func imported(in collection: CollectionName) -> Set<EntityID> { Set(links(in: collection).values) }

  /// What rows were found to be, by the rows' identities: the row of each target.
  private func links(in collection: CollectionName, to rows: [EntityID: Int]) -> [(target: EntityID, row: Int)] {
    var links: [(EntityID, Int)] = []
    snapshot.forEachRecord(in: ImportLink.collection) { record in
      guard let row = rows[record.id], let link = try? migrations.decode(ImportLink.self, copy record),
        link.collection == collection.rawValue
      else { return true }
      links.append((link.target, row))
      return true
    }
    return links
  }

  /// Adds the records that an import puts, as an export would have them, and hands them over in parts of a megabyte.
  ///
  /// - Throws: `importInvalid` when what is there cannot become what a row says; with `skips` it stays as it is.
  ///   `requestCancelled`.
  func append<Target: TableTarget>(
    _ plan: TablePlan<Target>, _ target: Target, _ monitor: WorkMonitor, to text: inout ExportText,
    take: ([UInt8]) -> Void
  ) throws(RPCError) where Target.Entity: StoredEntity {
    try plan.visitChanges(replaces: replaces, at: now) { conflict, row throws(RPCError) in
      if skips { return }
      throw RPCError(
        .importInvalid, "row \(row): what is there cannot become what it says: \(conflict.message)",
        pointer: conflict.pointer, allowed: conflict.allowed,
        hint: "“onDifferent”: “keep” leaves what is there as it is")
    } _: { change throws(RPCError) in
      if monitor.isCancelled() { throw RPCError(TableRefusal.cancelled) }
      try append(change, to: &text) { target.day(of: $0) }
      if text.pending >= TableImport.piece { take(text.take()) }
    }
  }

  /// Adds the record of a change.
  package func append<Entity: TableEntity & StoredEntity>(
    _ change: TableChange<Entity>, to text: inout ExportText, day: (Entity) -> CivilDay? = { _ in nil }
  ) throws(RPCError) {
    switch change {
    case .add(let entity): append(entity, entity.id, day(entity), now, now, entity.json, &text)
    case .put(let entity):
      guard let record = snapshot.record(entity.id, in: Entity.collection) else { return }
      let body = try migrations.body(entity, keeping: record)
      append(entity, entity.id, day(entity), record.createdAt, entity.updatedAt, body, &text)
    case .link(let id, let target):
      let note = ImportLink(
        id: id, collection: Entity.collection.rawValue, target: target, createdAt: now, updatedAt: now)
      append(note, id, nil, now, now, note.json, &text)
    }
  }

  /// Adds an entity that is no row, or puts it in place of the one of its id that is stored.
  package func append<Entity: CollectionEntity>(_ entity: Entity, to text: inout ExportText) throws(RPCError) {
    guard let record = snapshot.record(entity.id, in: Entity.collection) else {
      return append(entity, entity.id, entity.recordDay, entity.createdAt, entity.updatedAt, entity.json, &text)
    }
    let body = try migrations.body(entity, keeping: record)
    append(entity, entity.id, entity.recordDay, record.createdAt, entity.updatedAt, body, &text)
  }

  private func append<Entity: StoredEntity>(
    _ entity: Entity, _ id: EntityID, _ day: CivilDay?, _ createdAt: Instant, _ updatedAt: Instant, _ body: [UInt8],
    _ text: inout ExportText
  ) {
    body.withUnsafeBytes { body in
      text.append(
        Entity.collection, id: id, day: day, createdAt: createdAt, updatedAt: updatedAt,
        schema: migrations.schema(of: Entity.collection), body: body)
    }
  }
}

/// What an import has come to.
package struct TableImportCounts: Sendable {
  /// Those that the table has.
  package let rows: Int
  package let added: Int
  package let replaced: Int
  package let present: Int
  package let different: Int
  package let summary: ImportSummary

  /// Between the plan and the lock another process may have been faster.
  init(_ rows: Int, _ outcomes: TableOutcomes, _ summary: ImportSummary, in collection: CollectionName) {
    self.rows = rows
    let counts = summary.collections.first { $0.collection == collection }
    (added, replaced) = (counts?.added ?? 0, counts?.updated ?? 0)
    let same = counts?.same ?? 0
    present = outcomes.present + same
    different = outcomes.new + outcomes.different - added - replaced - same
    self.summary = summary
  }
}
