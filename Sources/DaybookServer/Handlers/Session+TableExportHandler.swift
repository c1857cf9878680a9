import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition
import NutritionService
import NutritionTables

extension Session {
  nonisolated func nutritionExportCSV(
    _ params: NutritionExportCSVParams, _ work: HeavyWork
  ) async throws(RPCError) -> NutritionExportCSVResult {
    let days = try PageRequest(day: nil, from: params.from, to: params.to, limit: nil, cursor: nil).days()
    if let path = params.path { try Session.checkAbsolute(path) }
    let (snapshot, settings, configuration) = (try await snapshot(), try await settings(), folderConfiguration)
    let export = CSVExport(
      session: self, kind: params.what, days: days, snapshot: snapshot, settings: settings,
      hasMark: params.byteOrderMark ?? false)
    let (progress, path, overwrites) = (work.progress, params.path, params.overwrite ?? false)
    return try await work.onThread("Exporting") { monitor throws(StoreError) in
      if let path {
        return try OutsideFile(path, configuration).write(overwrites: overwrites) { write throws(StoreError) in
          try export.run(monitor, write).result("", snapshot)
        }
      }
      var text: [UInt8] = []
      let table = try export.run(monitor) { piece throws(StoreError) in
        if progress.sendsParts { progress.send([String(decoding: piece, as: UTF8.self)]) } else { text += piece }
      }
      return table.result(String(decoding: text, as: UTF8.self), snapshot)
    }
  }
}

extension TableExport {
  fileprivate func result(_ text: String, _ snapshot: Snapshot) -> NutritionExportCSVResult {
    NutritionExportCSVResult(rows: rows, bytes: byteCount, revision: snapshot.revision, text: text)
  }
}

/// Writes what is stored of one kind as a table, oldest first.
private struct CSVExport: Sendable {
  let session: Session
  let kind: TableKind
  /// Nil for all.
  let days: ClosedRange<CivilDay>?
  let snapshot: Snapshot
  let settings: Settings
  let hasMark: Bool

  /// About so many bytes are handed out at a time.
  private static let piece = 256 << 10

  func run(
    _ monitor: WorkMonitor, _ write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) -> TableExport {
    var table = TableExport(kind, hasMark: hasMark)
    switch kind {
    case .days: try writeDays(&table, monitor, write)
    case .weights:
      try each(WeightEntry.collection, monitor) { record throws(RPCError) in
        table.append(try session.decode(WeightEntry.self, record))
      } after: { () throws(StoreError) in
        try pass(&table, write)
      }
    default:
      try each(Meal.collection, monitor) { record throws(RPCError) in
        table.append(try session.decode(Meal.self, record))
      } after: { () throws(StoreError) in
        try pass(&table, write)
      }
    }
    try write(table.take())
    return table
  }

  private func pass(_ table: inout TableExport, _ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    if table.pending >= CSVExport.piece { try write(table.take()) }
  }

  private func each(
    _ collection: CollectionName, _ monitor: WorkMonitor, _ body: (Record) throws(RPCError) -> Void,
    after: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let records = snapshot.records(in: collection, days: days)
    for (index, record) in records.reversed().enumerated() {
      try check(index, of: records.count, monitor)
      try CSVExport.reading { () throws(RPCError) in try body(record) }
      try after()
    }
  }

  private func writeDays(
    _ table: inout TableExport, _ monitor: WorkMonitor, _ write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let days = days ?? CivilDay.allowed
    let facts = try CSVExport.reading { () throws(RPCError) in
      try NutritionService.readFacts(days, in: snapshot, session.options.migrations)
    }
    var notes: [CivilDay: String] = [:]
    for record in snapshot.records(in: DayEntry.collection, days: days) {
      let entry = try CSVExport.reading { () throws(RPCError) in try session.decode(DayEntry.self, record) }
      notes[entry.day] = entry.note
    }
    for (index, day) in facts.enumerated() {
      try check(index, of: facts.count, monitor)
      table.append(day, note: notes[day.day], settings: settings)
      try pass(&table, write)
    }
  }

  private func check(_ index: Int, of count: Int, _ monitor: WorkMonitor) throws(StoreError) {
    guard index & 1023 == 0 else { return }
    if monitor.isCancelled() { throw StoreError(.cancelled, "It was cancelled.") }
    monitor.report(index * 100 / count)
  }

  /// What cannot be read ends the export: it would lack something.
  private static func reading<Value>(_ body: () throws(RPCError) -> Value) throws(StoreError) -> Value {
    do throws(RPCError) { return try body() } catch { throw StoreError(.storeUnavailable, error.message) }
  }
}
