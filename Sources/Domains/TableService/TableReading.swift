import DomainKit
import Tables

/// How a domain reads and imports its tables.
package protocol TableReading: Sendable {
  associatedtype Known: KnownTable
  associatedtype Draft: Sendable & Equatable

  func read(
    _ bytes: [UInt8], limits: TableLimits, shouldContinue: (Int) -> Bool
  ) throws(TableRefusal) -> ImportedTable<Known, Draft>
  func rows(of table: ImportedTable<Known, Draft>) -> TableRows
  /// The methods that preview and import a table.
  var methods: (preview: Method, importing: Method) { get }
  /// What a table needs, in words, and an example of a field for `mapping`.
  var wanted: (words: String, field: String) { get }
}

/// The rows of a table, independent of their entity type.
package struct TableRows {
  /// The collections of their entities.
  let collections: [CollectionName]
  /// Compares the rows with the stored entities.
  private let plan: (TableImport, WorkMonitor) throws(StoreError) -> Planned

  /// The outcomes of the rows, and how to append the records that an import puts, in parts.
  private typealias Planned = (
    outcomes: TableOutcomes, append: (inout ExportText, ([UInt8]) -> Void) throws(RPCError) -> Void
  )

  /// - Parameter others: Appends further changes of the import, given the outcomes.
  package init<Target: TableTarget>(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target,
    writing others: @escaping (TableImport, TableOutcomes, inout ExportText) throws(RPCError) -> Void = { _, _, _ in }
  ) where Target.Entity: CollectionEntity {
    collections = [Target.Entity.collection]
    plan = { work, monitor throws(StoreError) in
      let plan = try work.plan(rows, target, monitor)
      return (
        plan.outcomes,
        { text, take throws(RPCError) in
          try others(work, plan.outcomes, &text)
          try work.append(plan, target, monitor, to: &text, take: take)
        }
      )
    }
  }

  /// Rows of two kinds of entities.
  ///
  /// - Parameter isSecond: Whether a draft is of the second kind.
  package init<First: TableTarget, Second: TableTarget>(
    of rows: [ImportedRow<First.Draft>], _ first: First, _ second: Second, isSecond: @escaping (First.Draft) -> Bool
  ) where First.Entity: CollectionEntity, Second.Entity: CollectionEntity, Second.Draft == First.Draft {
    func only(_ wanted: Bool) -> [ImportedRow<First.Draft>] {
      rows.map { row in
        guard case .draft(let draft) = row.content, isSecond(draft) != wanted else { return row }
        return ImportedRow(number: row.number, content: .ignored)
      }
    }
    let (one, other) = (TableRows(only(false), first), TableRows(only(true), second))
    let second = rows.map { row in if case .draft(let draft) = row.content { isSecond(draft) } else { false } }
    collections = one.collections + other.collections
    plan = { work, monitor throws(StoreError) in
      let (one, other) = (try one.plan(work, monitor), try other.plan(work, monitor))
      let lists = zip(second, zip(one.outcomes.list, other.outcomes.list))
      return (
        TableOutcomes(lists.map { isSecond, outcomes in isSecond ? outcomes.1 : outcomes.0 }),
        { text, take throws(RPCError) in
          try one.append(&text, take)
          try other.append(&text, take)
        }
      )
    }
  }

  func outcomes(_ work: TableImport, _ monitor: WorkMonitor) throws(StoreError) -> TableOutcomes {
    try plan(work, monitor).outcomes
  }

  /// Also returns the records that an import puts, as lines in parts.
  func lines(
    _ work: TableImport, _ monitor: WorkMonitor
  ) throws(StoreError) -> (TableOutcomes, Result<[ArraySlice<UInt8>], RPCError>) {
    let planned = try plan(work, monitor)
    do throws(RPCError) {
      var text = ExportText(created: work.now)
      var parts: [ArraySlice<UInt8>] = []
      try planned.append(&text) { parts.append($0[...]) }
      return (planned.outcomes, .success(parts + [text.take()[...]]))
    } catch {
      return (planned.outcomes, .failure(error))
    }
  }
}

/// A table with the outcomes of its rows.
package struct ComparedTable<Known: KnownTable, Draft: Sendable & Equatable>: Sendable {
  package let table: ImportedTable<Known, Draft>
  package let outcomes: TableOutcomes
  package let revision: Int
}

extension TableReading {
  /// An imported table, without its rows.
  package typealias Imported = (table: ImportedTable<Known, Draft>, counts: TableImportCounts)

  /// Reads a table and compares it with the stored entities.
  package func preview(
    _ source: TableSource, _ importer: TableImport, _ work: any Work
  ) async throws(RPCError) -> ComparedTable<Known, Draft> {
    let configuration = work.configuration
    let outcome = try await work.onThread("Reading") { monitor throws(StoreError) in
      try source.read(self, configuration, monitor) { table throws(StoreError) in
        let outcomes = try rows(of: table).outcomes(importer, monitor)
        return .success(ComparedTable(table: table, outcomes: outcomes, revision: importer.snapshot.revision))
      }
    }
    return try outcome.get()
  }

  /// Reads a table and imports its rows. Changes made after the import began are newer, and stay.
  package func importTable(
    _ source: TableSource, _ importer: TableImport, _ work: any Work
  ) async throws(RPCError) -> Imported {
    let ready = TableImport.configuration(methods.importing, work)
    let outcome = try await work.onThread("Importing") { monitor throws(StoreError) in
      try source.read(self, ready, monitor) {
        (table: consuming ImportedTable<Known, Draft>) throws(StoreError) -> Result<Imported, RPCError> in
        if !importer.skips, let problem = table.problems.first {
          return .failure(RPCError(problem, more: table.refused - 1, preview: methods.preview))
        }
        let (collections, outcomes, lines) = try lines(of: table, importer, monitor)
        // The rows take more memory than everything that follows.
        let rows = table.rows.count
        table.dropRows()
        switch lines {
        case .failure(let error): return .failure(error)
        case .success(let lines):
          let summary = try work.importRecords(.lines(lines), ready, monitor.part(50...100))
          return .success((table, TableImportCounts(rows, outcomes, summary, in: collections)))
        }
      }
    }
    let result = try outcome.get()
    if result.counts.summary.isChanged, result.counts.summary.isUndoable {
      await work.own(result.counts.summary.revision)
    }
    return result
  }

  private func lines(
    of table: ImportedTable<Known, Draft>, _ importer: TableImport, _ monitor: WorkMonitor
  ) throws(StoreError) -> ([CollectionName], TableOutcomes, Result<[ArraySlice<UInt8>], RPCError>) {
    let rows = rows(of: table)
    let (outcomes, lines) = try rows.lines(importer, monitor)
    return (rows.collections, outcomes, lines)
  }
}

extension TableOutcome {
  /// The wire form.
  package var wire: (outcome: TableRowOutcome, id: EntityID?, differs: [String]?) {
    switch self {
    case .new(let id): (.new, id, nil)
    case .present(let id, _): (.present, id, nil)
    case .different(let id, let names, _): (.different, id, names)
    case .extended(let id, let names, _): (.extended, id, names)
    case .ignored: (.ignored, nil, nil)
    case .refused: (.refused, nil, nil)
    }
  }
}

extension ImportedTable {
  /// The wire form of its columns.
  package var columns: [TableColumn] {
    mapping.headers.enumerated().map { index, header in
      TableColumn(number: index + 1, header: header.text, field: mapping.field(at: index))
    }
  }

  /// The ignored rows whose reason is told; nil without any.
  package var told: [TableIgnoredRow]? { ignoredRows.isEmpty ? nil : ignoredRows }

  /// The wire form of the lines above its header; nil without any.
  package var skipped: [String]? { skippedLines.isEmpty ? nil : skippedLines }

  /// The wire form of its delimiter.
  package var delimiterText: String { String(decoding: [delimiter], as: UTF8.self) }
}
