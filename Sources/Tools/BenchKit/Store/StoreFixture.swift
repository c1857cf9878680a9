import Foundation

/// A store of generated records, with the same records as an export and an SQLite database.
package struct StoreFixture {
  package let size: StoreSize
  package let generator: RecordGenerator
  /// The data folder, read-only; use `copy` to write.
  package let folder: String
  let export: String
  /// Nil without SQLite.
  package let database: String?

  /// Creates the fixture in a folder, or reuses one kept by an earlier run.
  init(_ size: StoreSize, in parent: URL, _ sqlite: SQLiteAnchor?) throws(BenchError) {
    self.size = size
    generator = RecordGenerator(years: size.years, records: size.records)
    let name = "\(size.records)-\(size.years)-\(RecordGenerator.version)-\(StoreUnderTest.layout)"
    let home = parent.appendingPathComponent(name)
    folder = home.appendingPathComponent("store").path
    export = home.appendingPathComponent("export.jsonl").path
    let database = home.appendingPathComponent("records.sqlite").path
    self.database = sqlite == nil ? nil : database
    // Created last, so that an incomplete fixture is never reused.
    let mark = home.appendingPathComponent("complete").path
    let files = FileManager.default
    if files.fileExists(atPath: mark), sqlite == nil || files.fileExists(atPath: database) { return }
    do {
      try? files.removeItem(at: home)
      try files.createDirectory(at: home, withIntermediateDirectories: true)
    } catch { throw .usage("\(home.path) cannot be created: \(error.localizedDescription)") }
    try fill(sqlite)
    guard files.createFile(atPath: mark, contents: nil) else { throw .usage("\(mark) cannot be created") }
  }

  private func fill(_ sqlite: SQLiteAnchor?) throws(BenchError) {
    var export = try ExportSink(path: export, created: generator.finished)
    var sink = try StoreSink(folder: folder)
    // The last records are committed one by one, as in a store in use.
    var tail: [GeneratedRecord] = []
    var taken = 0
    let imported = size.records - min(StoreUnderTest.quietTail, size.records / 4)
    for record in generator {
      try export.add(record)
      if taken < imported { try sink.add(record) } else { tail.append(record) }
      taken += 1
    }
    try export.finish()
    try sink.finish()
    let store = try StoreUnderTest(folder)
    for record in tail {
      try store.commit([record])
      try store.waitUntilDurable()
    }
    try Bench.expect(
      try store.count() == size.records, "the store does not have the \(size.records) records it got")
    store.close()
    guard let sqlite, let database else { return }
    let rows = try sqlite.build(database, from: self.export)
    try Bench.expect(rows == size.records, "SQLite does not have the \(size.records) records it got")
  }

  /// Copies the data folder, and commits further records one by one, as in the middle of work.
  func copyInUse(to path: String) throws(BenchError) {
    try copy(to: path)
    let store = try StoreUnderTest(path)
    defer { store.close() }
    let further = StoreUnderTest.busyTail - StoreUnderTest.quietTail
    for record in RecordGenerator(seed: generator.seed + 1, records: min(further, size.records / 4)) {
      try store.commit([record])
      try store.waitUntilDurable()
    }
  }

  /// Copies the data folder for writing.
  package func copy(to path: String) throws(BenchError) {
    do { try FileManager.default.copyItem(atPath: folder, toPath: path) } catch {
      throw .usage("\(path) cannot be created: \(error.localizedDescription)")
    }
  }
}
