import Foundation

/// Ten years of records out of a file into an empty store: reading and checking the file is part of ours.
enum ImportBench {
  static let group = Group(
    "import", ofStore: true, isLong: true,
    [
      Measure(
        "import of \(StoreSize.tenYears.name)", .milliseconds, "time", beside: ("SQLite, one transaction", "SQLite"),
        goal: .ratioAtMost(0.7)),
      Measure("its size on disk", .megabytes, "size", beside: ("SQLite", "SQLite size")),
    ]
  ) { bench throws(BenchError) in
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let sqlite = bench.sqlite()
    let rows = try sqlite?.load(fixture.export) ?? fixture.size.records
    try Bench.expect(rows == fixture.size.records, "SQLite has read \(rows) of \(fixture.size.records) records")
    return { figures throws(BenchError) in
      let folder = bench.freshFolder()
      let start = Clocks.now()
      try StoreUnderTest.importRecords(fixture.export, into: folder)
      figures.add("time", Double(Clocks.now() - start))
      figures.add("size", Double(size(of: folder)) / 1e6)
      let store = try StoreUnderTest(folder)
      try Bench.expect(
        try store.count() == fixture.size.records, "the import did not bring in \(fixture.size.records) records")
      store.close()
      try? FileManager.default.removeItem(atPath: folder)
      guard let sqlite else { return }
      let database = bench.freshFolder() + ".sqlite"
      let inserted = try sqlite.insertLoaded(database)
      figures.add("SQLite", inserted.time)
      figures.add("SQLite size", Double(inserted.bytes) / 1e6)
      unlink(database)
    }
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
