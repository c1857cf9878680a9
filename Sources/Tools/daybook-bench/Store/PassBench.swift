import Foundation

/// Every body of a store once, from opening on, and the memory that takes.
enum PassBench {
  static let measures =
    [StoreSize.tenYears, .million].flatMap { names(of: $0) } + [
      "resident after a full pass of \(StoreSize.tenYears.name)", "resident after listing its meals",
    ]

  private static func names(of size: StoreSize) -> [String] {
    [
      "complete pass over \(size.name)", "the same, to SQLite inside", "a second pass over \(size.name)",
    ]
  }

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    var rows = try passes(bench, .tenYears)
    if bench.options.isFull || bench.options.isSmoke { rows += try passes(bench, .million) }
    bench.remarks.append("a complete pass begins with opening the store or the database; a second one does not")
    return rows + (try memory(bench))
  }

  private static func passes(_ bench: Bench, _ size: StoreSize) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(size.scaled(bench.options))
    let sqlite = bench.sqlite()
    var (whole, second, theirs, inside) = (Series(), Series(), Series(), Series())
    for _ in 0..<bench.longRounds {
      let figures = try ReadAllFigures(fixture.folder)
      try Bench.expect(
        figures.count == fixture.size.records, "a pass meets \(figures.count) records of \(fixture.size.records)")
      whole.append(figures.whole)
      second.append(figures.second)
      guard let sqlite, let database = fixture.database else { continue }
      let anchor = try sqlite.readAll(database)
      try Bench.expect(
        anchor.count == figures.count && anchor.bytes == figures.bytes,
        "a pass meets \(figures.bytes) bytes of bodies, SQLite's \(anchor.bytes)")
      theirs.append(anchor.milliseconds)
      inside.append(anchor.inside)
    }
    let names = names(of: size)
    func beside(_ series: Series) -> Double? { sqlite == nil ? nil : series.median }
    return [
      Row(names[0], "ms", whole.median, beside: "SQLite, all bodies", beside(theirs), goal: .ratioAtMost(0.5)),
      Row(names[1], "ms", whole.median, beside: "SQLite, sum of lengths", beside(inside)),
      Row(names[2], "ms", second.median, beside: "SQLite, all bodies", beside(theirs)),
    ]
  }

  /// What a service would have in memory after a full pass: what it has with an empty folder, and what opening a store
  /// and reading all of it adds to a process. Beside it, what a service really has that has listed all meals.
  private static func memory(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let names = measures.suffix(2).map { $0 }
    let empty = try bench.service(bench.freshFolder())
    let base = empty.memory("VmRSS")
    _ = try empty.end()
    var grown = Series()
    for _ in 0..<bench.longRounds { grown.append(try ReadAllFigures(fixture.folder).grown) }
    let server = try bench.service(fixture.folder)
    try listAllMeals(server)
    guard let base, let listed = server.memory("VmRSS") else { return [] }
    return [
      Row(names[0], "MB", base + grown.median, beside: "empty folder", base, goal: .atMost(60)),
      Row(names[1], "MB", listed, beside: "empty folder", base),
    ]
  }

  private static func listAllMeals(_ server: Spawned) throws(BenchError) {
    var cursor = ""
    while true {
      let page = try server.request("meals/list", "{\"limit\":1000\(cursor)}") as? [String: Any]
      guard let next = page?["nextCursor"] as? String else { return }
      cursor = ",\"cursor\":\"\(next)\""
    }
  }
}
