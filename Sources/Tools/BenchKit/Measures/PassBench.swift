/// A complete pass over the bodies of a store, including its opening, and the memory for it.
enum PassBench {
  static let group = Group(
    "passes", ofStore: true, isLong: true,
    [StoreSize.tenYears, .million].flatMap { size in
      [
        Measure(
          "complete pass over \(size.name)", .milliseconds, "whole \(size.name)",
          beside: ("SQLite, all bodies", "SQLite \(size.name)"), goal: .ratioAtMost(0.5)),
        Measure(
          "the same, to SQLite inside", .milliseconds, "whole \(size.name)",
          beside: ("SQLite, sum of lengths", "inside \(size.name)")),
        Measure(
          "a second pass over \(size.name)", .milliseconds, "second \(size.name)",
          beside: ("SQLite, all bodies", "SQLite \(size.name)")),
      ]
    } + [
      Measure(
        "resident after a full pass of \(StoreSize.tenYears.name)", .megabytes, "after a pass",
        beside: ("empty folder", "empty"), goal: .atMost(20)),
      Measure(
        "resident after listing its meals", .megabytes, "after a list", beside: ("empty folder", "empty"),
        goal: .atMost(20)),
    ]
  ) { bench throws(BenchError) in
    bench.remark("a complete pass begins with opening the store or the database; a second one does not")
    let isWhole = bench.options.isFull || bench.options.isSmoke
    return { figures throws(BenchError) in
      for size in isWhole ? [StoreSize.tenYears, .million] : [.tenYears] { try pass(bench, size, &figures) }
      try memory(bench, &figures)
    }
  }

  private static func pass(_ bench: Bench, _ size: StoreSize, _ figures: inout Figures) throws(BenchError) {
    let fixture = try bench.fixture(size.scaled(bench.options))
    let read = try ReadAllFigures(fixture.folder)
    try Bench.expect(
      read.count == fixture.size.records, "a pass meets \(read.count) of \(fixture.size.records) records")
    figures.add("whole \(size.name)", read.whole)
    figures.add("second \(size.name)", read.second)
    guard let sqlite = bench.sqlite(), let database = fixture.database else { return }
    let anchor = try sqlite.readAll(database)
    try Bench.expect(
      anchor.count == read.count && anchor.bytes == read.bytes,
      "a pass meets \(read.bytes) bytes of bodies, SQLite's \(anchor.bytes)")
    figures.add("SQLite \(size.name)", anchor.time)
    figures.add("inside \(size.name)", anchor.inside)
  }

  /// The memory of a service after a full pass: that with an empty folder, plus the growth of a process that opens a
  /// store and reads all of it; next to it, the actual memory after listing all meals.
  private static func memory(_ bench: Bench, _ figures: inout Figures) throws(BenchError) {
    let folder = try bench.fixture(.tenYears.scaled(bench.options)).folder
    let empty = try bench.service(bench.freshFolder())
    guard let base = empty.memory("VmRSS") else { return }
    try empty.end()
    figures.add("empty", base)
    figures.add("after a pass", base + (try ReadAllFigures(folder).grown))
    let server = try bench.service(folder)
    var cursor: String? = ""
    while let next = cursor {
      let page = try server.request("meals/list", "{\"limit\":1000\(next)}") as? [String: Any]
      cursor = (page?["nextCursor"] as? String).map { ",\"cursor\":\"\($0)\"" }
    }
    if let memory = server.memory("VmRSS") { figures.add("after a list", memory) }
  }
}
