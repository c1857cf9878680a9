import DomainKit
import Tables

/// The import or preview of a table; common to all domains.
package struct TableImport: Sendable {
  package let migrations: RecordMigrations
  package let snapshot: Snapshot
  package let now: Instant
  /// Whether differing entities are replaced.
  package private(set) var replaces = false
  /// Whether unusable rows are skipped.
  private(set) var skips = false

  init(migrations: RecordMigrations, snapshot: Snapshot, now: Instant) {
    self.migrations = migrations
    self.snapshot = snapshot
    self.now = now
  }

  package init(_ context: Context, _ onProblem: OnProblem? = nil, _ onDifferent: OnDifferent? = nil) throws(RPCError) {
    self.init(migrations: context.folder.migrations, snapshot: try context.snapshot(), now: context.now)
    (skips, replaces) = (onProblem == .skip, onDifferent == .replace)
  }

  /// The default number of rows in a preview.
  package static let shownRows = 20
  /// The most changes of an undoable import: the import and its undo must each fit into a journal line, where a record takes about
  /// 200 bytes besides its text.
  private static let undoableRows = 100_000
  /// The most bytes of records in an undoable import.
  private static let undoableBytes = 32 << 20

  /// The size of the parts in which records are passed on, bytes.
  private static let piece = 1 << 20

  /// The configuration of the data folder for an import by `method`.
  static func configuration(_ method: Method, _ work: any Work) -> FileStore.Configuration {
    var configuration = work.configuration
    configuration.importLabel = "\(method.name)"
    configuration.journaledImportLimit = undoableRows
    configuration.journaledImportBytes = undoableBytes
    return configuration
  }

  /// Compares rows with the stored entities.
  ///
  /// - Throws: `cancelled`.
  /// - Complexity: Linear in the records of the collection.
  func plan<Target: TableTarget>(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target, _ monitor: WorkMonitor
  ) throws(StoreError) -> TablePlan<Target> where Target.Entity: CollectionEntity {
    var plan = TablePlan(
      rows, target, identity: { DerivedID.row(ofKey: $0) }, links: { links(in: Target.Entity.collection, $0) },
      imported: { Set(links(in: Target.Entity.collection).values) })
    snapshot.forEachRecord(in: Target.Entity.collection) { record in
      let record = copy record
      plan.take(record.id, day: record.day) { try? migrations.decode(Target.Entity.self, record) }
      return !monitor.isCancelled()
    }
    try plan.compare { () throws(StoreError) in try monitor.check() }
    return plan
  }

  /// The targets of all stored links, by the ids that the rows would have had.
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

  /// The links of the ids that `isWanted` accepts.
  private func links(
    in collection: CollectionName, _ isWanted: (EntityID) -> Bool
  ) -> [(id: EntityID, target: EntityID)] {
    var links: [(EntityID, EntityID)] = []
    snapshot.forEachRecord(in: ImportLink.collection) { record in
      guard isWanted(record.id), let link = try? migrations.decode(ImportLink.self, copy record),
        link.collection == collection.rawValue
      else { return true }
      links.append((link.id, link.target))
      return true
    }
    return links
  }

  /// Appends the records that an import puts, in the form of an export, and passes them on in parts.
  ///
  /// - Throws: `importInvalid` when an entity cannot be replaced and `skips` is false; `requestCancelled`.
  func append<Target: TableTarget>(
    _ plan: TablePlan<Target>, _ target: Target, _ monitor: WorkMonitor, to text: inout ExportText,
    take: ([UInt8]) -> Void
  ) throws(RPCError) where Target.Entity: CollectionEntity {
    try plan.visitChanges(replaces: replaces, at: now) { conflict, row throws(RPCError) in
      if skips { return }
      throw RPCError(
        .importInvalid, "row \(row): the stored entity cannot be replaced: \(conflict.message)",
        pointer: conflict.pointer, allowed: conflict.allowed,
        hint: "“onDifferent”: “keep” leaves stored entities unchanged")
    } _: { change throws(RPCError) in
      if monitor.isCancelled() { throw RPCError(TableRefusal.cancelled) }
      try append(change, to: &text)
      if text.pending >= TableImport.piece { take(text.take()) }
    }
  }

  /// Appends the record of a change.
  package func append<Entity: TableEntity & CollectionEntity>(
    _ change: TableChange<Entity>, to text: inout ExportText
  ) throws(RPCError) {
    switch change {
    case .add(var entity): append(try migrations.put(&entity, keeping: nil, at: now), to: &text)
    case .put(let entity):
      if snapshot.record(entity.id, in: Entity.collection) != nil { try append(entity, to: &text) }
    case .link(let id, let target):
      try append(
        ImportLink(id: id, collection: Entity.collection.rawValue, target: target, createdAt: now, updatedAt: now),
        to: &text)
    }
  }

  /// Appends an entity, new or in place of the stored one with its id.
  package func append<Entity: CollectionEntity>(_ entity: Entity, to text: inout ExportText) throws(RPCError) {
    var entity = entity
    let record = snapshot.record(entity.id, in: Entity.collection)
    append(try migrations.put(&entity, keeping: record, at: now), to: &text)
  }

  /// Appends the record that an operation puts; an import deletes nothing.
  package func append(_ operation: Operation, to text: inout ExportText) {
    guard case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body) = operation
    else { return }
    body.withUnsafeBytes { body in
      text.append(
        collection, id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema, body: body)
    }
  }
}

/// The counts of a finished import.
package struct TableImportCounts: Sendable {
  /// The rows of the table.
  package let rows: Int
  package let added: Int
  package let replaced: Int
  package let present: Int
  package let different: Int
  package let summary: ImportSummary

  /// Another process may have made some of the changes between the plan and the lock.
  init(_ rows: Int, _ outcomes: TableOutcomes, _ summary: ImportSummary, in collections: [CollectionName]) {
    self.rows = rows
    let counts = summary.collections.filter { collections.contains($0.collection) }
    (added, replaced) = (counts.reduce(0) { $0 + $1.added }, counts.reduce(0) { $0 + $1.updated })
    let same = counts.reduce(0) { $0 + $1.same }
    present = outcomes.present + same
    different = outcomes.new + outcomes.different - added - replaced - same
    self.summary = summary
  }
}

extension DerivedID {
  /// The id of a table row, derived from its key.
  package static func row(ofKey key: String) -> EntityID { id("table row\u{1F}", Array(key.utf8)) }
}
