import Foundation
import Spawning

/// Imports ten years of records from a file into an empty store, including reading and checking the file, and exports
/// them with the command-line tool.
enum ImportBench {
  static let group = Group(
    "import and export", ofStore: true, isLong: true,
    [
      Measure(
        "import of \(StoreSize.tenYears.name)", .milliseconds, "time", beside: ("SQLite, one transaction", "SQLite"),
        goal: .ratioAtMost(0.7)),
      Measure("its size on disk", .megabytes, "size", beside: ("SQLite", "SQLite size")),
      Measure("export into a file", .megabytesPerSecond, "export", goal: .atLeast(300)),
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
      figures.add("export", try exported(fixture.folder, bench))
      guard let sqlite else { return }
      let database = bench.freshFolder() + ".sqlite"
      let inserted = try sqlite.insertLoaded(database)
      figures.add("SQLite", inserted.time)
      figures.add("SQLite size", Double(inserted.bytes) / 1e6)
      unlink(database)
    }
  }

  /// The speed of an export, in megabytes per second.
  private static func exported(_ folder: String, _ bench: Bench) throws(BenchError) -> Double {
    let file = bench.freshFolder() + ".jsonl"
    defer { unlink(file) }
    let command = [bench.options.daybook, "export", file, "--data", folder]
    let start = Clocks.now()
    let run = try? SpawnedProcess.run(command, standardError: .inherited)
    let time = Double(Clocks.now() - start)
    let bytes = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    guard run?.status == .exited(0), let bytes else { throw .wrong("the export failed") }
    return Double(bytes) / 1e6 / (time / 1e9)
  }

  /// The size of all files below a folder, in bytes.
  private static func size(of folder: String) -> Int {
    let files = FileManager.default
    return (files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).reduce(0) { sum, name in
      let attributes = try? files.attributesOfItem(atPath: folder + "/" + name)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }
}
