import CivilTime
import Foundation

/// Writes records into an SQLite database, through a temporary export.
struct SQLiteSink: RecordSink {
  private let anchor: SQLiteAnchor
  private let database: String
  private let export: String
  private var sink: ExportSink
  private var count = 0

  init(database: String, anchor: SQLiteAnchor, created: Instant) throws(BenchError) {
    self.anchor = anchor
    self.database = database
    export = database + ".export"
    sink = try ExportSink(path: export, created: created)
  }

  mutating func add(_ record: GeneratedRecord) throws(BenchError) {
    try sink.add(record)
    count += 1
  }

  mutating func finish() throws(BenchError) {
    try sink.finish()
    let rows = try anchor.build(database, from: export)
    unlink(export)
    try Bench.expect(rows == count, "\(count) records were given to SQLite, which has \(rows)")
  }
}
