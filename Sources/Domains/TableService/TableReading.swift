import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Tables
import Values

/// The tables that a domain imports: how one is read, what its rows become, and what a client is told that sent another.
package protocol TableReading: Sendable {
  associatedtype Known: KnownTable
  associatedtype Draft: Sendable & Equatable

  func read(
    _ bytes: [UInt8], limits: TableLimits, goesOn: (Int) -> Bool
  ) throws(TableRefusal) -> ImportedTable<Known, Draft>
  /// The rows of a table, with what they become.
  func rows(of table: ImportedTable<Known, Draft>) -> TableRows
  /// The methods that list what is wrong with a table, and import it.
  var methods: (preview: Method, importing: Method) { get }
  /// What a table has to have, in words, and a field that `mapping` could name.
  var wanted: (words: String, field: String) { get }
}

/// The rows of a table, for any kind of record they become.
package struct TableRows {
  /// Where that is stored.
  let collection: CollectionName
  /// Compares them with what is stored.
  let outcomes: (TableImport, WorkMonitor) throws(StoreError) -> TableOutcomes
  /// The same, with the records that an import puts, as lines in parts.
  let lines: (TableImport, WorkMonitor) throws(StoreError) -> (TableOutcomes, Result<[ArraySlice<UInt8>], RPCError>)

  /// - Parameter others: Adds what an import of the rows changes beside them, given what becomes of them.
  package init<Target: TableTarget>(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target,
    writing others: @escaping (TableImport, TableOutcomes, inout ExportText) throws(RPCError) -> Void = { _, _, _ in }
  ) where Target.Entity: StoredEntity {
    collection = Target.Entity.collection
    outcomes = { work, monitor throws(StoreError) in try work.plan(rows, target, monitor).outcomes }
    lines = { work, monitor throws(StoreError) in
      let plan = try work.plan(rows, target, monitor)
      do throws(RPCError) {
        var text = ExportText(created: work.now)
        var parts: [ArraySlice<UInt8>] = []
        try others(work, plan.outcomes, &text)
        try work.append(plan, target, monitor, to: &text) { parts.append($0[...]) }
        return (plan.outcomes, .success(parts + [text.take()[...]]))
      } catch {
        return (plan.outcomes, .failure(error))
      }
    }
  }
}

/// A table that was read, with what becomes of its rows.
package struct ComparedTable<Known: KnownTable, Draft: Sendable & Equatable>: Sendable {
  package let table: ImportedTable<Known, Draft>
  package let outcomes: TableOutcomes
  /// The revision that it was compared with.
  package let revision: Int
}

extension TableReading {
  /// A table that was imported, without its rows.
  package typealias Imported = (table: ImportedTable<Known, Draft>, counts: TableImportCounts)

  /// Reads a table and compares it with what is stored.
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

  /// Reads a table, and stores what its rows become. What is changed after the import began is newer than what it makes of that, and
  /// stays.
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
        let (collection, outcomes, lines) = try lines(of: table, importer, monitor)
        // They take more than all that is made of them from here on.
        let rows = table.rows.count
        table.dropRows()
        switch lines {
        case .failure(let error): return .failure(error)
        case .success(let lines):
          let summary = try work.importRecords(.lines(lines), ready, monitor.part(50...100))
          return .success((table, TableImportCounts(rows, outcomes, summary, in: collection)))
        }
      }
    }
    let result = try outcome.get()
    if result.counts.summary.isChanged, result.counts.summary.isUndoable {
      await work.own(result.counts.summary.revision)
    }
    return result
  }

  /// What becomes of the rows of a table, and the records that an import puts.
  private func lines(
    of table: ImportedTable<Known, Draft>, _ importer: TableImport, _ monitor: WorkMonitor
  ) throws(StoreError) -> (CollectionName, TableOutcomes, Result<[ArraySlice<UInt8>], RPCError>) {
    let rows = rows(of: table)
    let (outcomes, lines) = try rows.lines(importer, monitor)
    return (rows.collection, outcomes, lines)
  }
}
