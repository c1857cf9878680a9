import Foundation

/// Durable writes: one by one through the store, and pipelined through the service.
enum DurableWriteBench {
  static let group = Group(
    "writes", ofStore: true,
    [
      Measure(
        "durable write p50", .microseconds, "store p50", beside: ("append, fdatasync", "bare p50"),
        goal: .ratioAtMost(1)),
      Measure(
        "durable write p99", .microseconds, "store p99", beside: ("append, fdatasync", "bare p99"),
        goal: .ratioAtMost(1.2)),
      Measure(
        "durable write p50, to SQLite", .microseconds, "store p50", beside: ("SQLite", "SQLite p50"),
        goal: .ratioAtMost(0.9)),
      Measure("durable write p99, to SQLite", .microseconds, "store p99", beside: ("SQLite", "SQLite p99")),
      Measure(
        "meals/add, 64 in flight, to SQLite", .perSecond, "many /s", beside: ("SQLite commits", "SQLite /s"),
        goal: .ratioAtLeast(10)),
    ]
  ) { bench throws(BenchError) in
    let sqlite = bench.sqlite()
    let database = bench.freshFolder() + ".sqlite"
    let folder = bench.freshFolder()
    let store = try StoreUnderTest(folder)
    var records = RecordGenerator(years: 100).makeIterator()
    let server = try bench.service(bench.freshFolder())
    try server.pipeline(Bench.addMeal, window: 64, limit: 64)
    // The first write creates the folder and its files, which is not part of the measure.
    var written = try singleWrites(to: store, &records, milliseconds: 0).count
    let time = bench.options.milliseconds
    return { figures throws(BenchError) in
      let load = try singleWrites(to: store, &records, milliseconds: time)
      written += load.count
      figures.add(latenciesOf: load, "store")
      let line = DurabilityBench.size(of: folder) / max(written, 1)
      figures.add(latenciesOf: try DurabilityBench.append(line, in: folder, milliseconds: time), "bare")
      figures.add(throughputOf: try server.pipeline(Bench.addMeal, window: 64, milliseconds: time), "many")
      if let load = try sqlite?.singleWrites(database, bytes: 214, milliseconds: time) {
        figures.add(latenciesOf: load, "SQLite")
        figures.add("SQLite /s", load.perSecond)
      }
      try Bench.expect(try store.count() == written, "the store does not have the \(written) records it got")
    }
  }

  /// Commits one record per transaction, each durable before the next.
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
