import CivilTime
import Foundation

/// Imports records into a store folder, through a temporary export.
struct StoreSink: RecordSink {
  private let folder: String
  private let path: String
  private var export: ExportSink

  init(folder: String) throws(BenchError) {
    self.folder = folder
    path = folder + ".import.jsonl"
    export = try ExportSink(path: path, created: Instant(milliseconds: 0))
  }

  mutating func add(_ record: GeneratedRecord) throws(BenchError) { try export.add(record) }

  mutating func finish() throws(BenchError) {
    try export.finish()
    defer { unlink(path) }
    try StoreUnderTest.importRecords(path, into: folder)
  }
}
