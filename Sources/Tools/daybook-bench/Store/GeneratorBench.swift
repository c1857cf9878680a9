/// The data that the store is measured with: how long it takes to make, and that it is the same each time.
enum GeneratorBench {
  static let measures = ["generate \(StoreSize.tenYears.name)", "JSON of a record"]

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let size = StoreSize.tenYears.scaled(bench.options)
    var times = Series()
    var first: Sum?
    for _ in 0..<max(bench.longRounds, 2) {
      let start = Clocks.now()
      let sum = Sum(RecordGenerator(years: size.years, records: size.records))
      times.append(Double(Clocks.now() - start) / 1e6)
      try Bench.expect(sum.count == size.records, "\(size.records) records were wanted, but \(sum.count) made")
      try Bench.expect(first == nil || first == sum, "the same arguments make other records")
      first = sum
    }
    let other = Sum(RecordGenerator(years: size.years, seed: 2, records: size.records))
    try Bench.expect(first != other, "another seed makes the same records")
    let bytes = first.map { Double($0.bytes) / Double(max($0.count, 1)) } ?? 0
    return [Row(measures[0], "ms", times.median), Row(measures[1], "bytes", bytes)]
  }

  /// What tells one sequence of records from another.
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
