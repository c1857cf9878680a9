import Foundation

/// Ten years of records out of a file into an empty store: reading and checking the file is part of ours.
enum ImportBench {
  static let measures = ["import of \(StoreSize.tenYears.name)", "its size on disk"]

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let sqlite = bench.sqlite()
    if let sqlite {
      let rows = try sqlite.load(fixture.export)
      try Bench.expect(
        rows == fixture.size.records, "SQLite's helper has read \(rows) records of \(fixture.size.records)")
    }
    var (ours, theirs, size, theirSize) = (Series(), Series(), Series(), Series())
    for _ in 0..<bench.longRounds {
      let folder = bench.freshFolder()
      let start = Clocks.now()
      try StoreUnderTest.importRecords(fixture.export, into: folder)
      ours.append(Double(Clocks.now() - start) / 1e6)
      size.append(Double(ImportBench.size(of: folder)) / 1e6)
      let store = try StoreUnderTest(folder)
      try Bench.expect(
        try store.count() == fixture.size.records, "the import did not bring in \(fixture.size.records) records")
      store.close()
      try? FileManager.default.removeItem(atPath: folder)
      guard let sqlite else { continue }
      let database = bench.freshFolder() + ".sqlite"
      let inserted = try sqlite.insertLoaded(database)
      theirs.append(inserted.milliseconds)
      theirSize.append(Double(inserted.bytes) / 1e6)
      unlink(database)
    }
    return [
      Row(
        measures[0], "ms", ours.median, beside: "SQLite, one transaction", sqlite == nil ? nil : theirs.median,
        goal: .ratioAtMost(1)),
      Row(measures[1], "MB", size.median, beside: "SQLite", sqlite == nil ? nil : theirSize.median),
    ]
  }

  /// Bytes of all files below a folder.
  private static func size(of folder: String) -> Int {
    let files = FileManager.default
    return (files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).reduce(0) { sum, name in
      let attributes = try? files.attributesOfItem(atPath: folder + "/" + name)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }
}
