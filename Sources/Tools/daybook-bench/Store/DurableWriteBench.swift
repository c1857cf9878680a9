import Foundation

/// Writes that are on disk when they are answered: one by one through the store, and many at once through the service.
enum DurableWriteBench {
  static let measures = [
    "durable write p50", "durable write p99", "durable write p50, to SQLite", "durable write p99, to SQLite",
    "meals/add, 64 in flight, to SQLite",
  ]

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let sqlite = bench.sqlite()
    let database = bench.freshFolder() + ".sqlite"
    let folder = bench.freshFolder()
    let store = try StoreUnderTest(folder)
    defer { store.close() }
    var records = RecordGenerator(years: 100).makeIterator()
    let server = try bench.service(bench.freshFolder())
    _ = try server.pipeline(Bench.addMeal, window: 64, limit: 64)
    let body = 214

    var (p50, p99, bareP50, bareP99) = (Series(), Series(), Series(), Series())
    var (sqliteP50, sqliteP99, sqlitePerSecond, perSecond) = (Series(), Series(), Series(), Series())
    // The first write makes the folder and its files, which is no matter of one write.
    var written = try singleWrites(to: store, &records, milliseconds: 0).count
    for _ in 0..<bench.options.rounds {
      let time = bench.options.milliseconds
      let load = try singleWrites(to: store, &records, milliseconds: time)
      written += load.count
      p50.append(load.latency(0.5))
      p99.append(load.latency(0.99))
      let line = DurabilityBench.size(of: folder) / max(written, 1)
      let bare = try DurabilityBench.append(line, in: folder, milliseconds: time)
      bareP50.append(bare.latency(0.5))
      bareP99.append(bare.latency(0.99))
      let many = try server.pipeline(Bench.addMeal, window: 64, milliseconds: time)
      perSecond.append(many.perSecond)
      if let load = try sqlite?.singleWrites(database, bytes: body, milliseconds: time) {
        sqliteP50.append(load.latency(0.5))
        sqliteP99.append(load.latency(0.99))
        sqlitePerSecond.append(load.perSecond)
      }
    }
    try Bench.expect(
      try store.count() == written, "the store does not have the \(written) records it got")
    _ = try server.end()
    func beside(_ series: Series) -> Double? { sqlite == nil ? nil : series.median }
    return [
      Row(
        measures[0], "µs", p50.median, beside: "append, fdatasync", bareP50.median, goal: .ratioAtMost(1.5)),
      Row(measures[1], "µs", p99.median, beside: "append, fdatasync", bareP99.median),
      Row(measures[2], "µs", p50.median, beside: "SQLite", beside(sqliteP50), goal: .ratioAtMost(1)),
      Row(measures[3], "µs", p99.median, beside: "SQLite", beside(sqliteP99)),
      Row(
        measures[4], "/s", perSecond.median, beside: "SQLite commits", beside(sqlitePerSecond),
        goal: .ratioAtLeast(10)),
    ]
  }

  /// One record a transaction, each on disk before the next is made.
  private static func singleWrites(
    to store: StoreUnderTest, _ records: inout RecordGenerator.Iterator, milliseconds: Int
  ) throws(BenchError) -> Load {
    var load = Load()
    let begin = Clocks.now()
    let end = begin + UInt64(milliseconds) * 1_000_000
    repeat {
      guard let record = records.next() else { break }
      let start = Clocks.now()
      try store.commit([record])
      try store.waitUntilDurable()
      load.latencies.append(Clocks.now() - start)
      load.count += 1
    } while Clocks.now() < end
    load.time = Clocks.now() - begin
    return load
  }
}
