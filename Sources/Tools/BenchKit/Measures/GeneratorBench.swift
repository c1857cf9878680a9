/// The generator of the store's data: its speed, and that it is deterministic.
enum GeneratorBench {
  static let group = Group(
    "generator", ofStore: true, isLong: true,
    [Measure("generate \(StoreSize.tenYears.name)", .milliseconds, "time"), Measure("JSON of a record", .bytes)]
  ) { bench throws(BenchError) in
    let size = StoreSize.tenYears.scaled(bench.options)
    let first = Sum(RecordGenerator(years: size.years, records: size.records))
    let other = Sum(RecordGenerator(years: size.years, seed: 2, records: size.records))
    try Bench.expect(first != other, "another seed makes the same records")
    return { figures throws(BenchError) in
      let start = Clocks.now()
      let sum = Sum(RecordGenerator(years: size.years, records: size.records))
      figures.add("time", Double(Clocks.now() - start))
      try Bench.expect(sum.count == size.records, "\(size.records) records were wanted, but \(sum.count) made")
      try Bench.expect(first == sum, "the same arguments make other records")
      figures.add("JSON of a record", Double(sum.bytes) / Double(max(sum.count, 1)))
    }
  }

  /// A summary that distinguishes sequences of records.
  private struct Sum: Equatable {
    var count = 0
    var bytes = 0
    /// FNV-1a of all bodies.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ generator: RecordGenerator) {
      for record in generator {
        count += 1
        bytes += record.body.count
        for byte in record.body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
    }
  }
}
