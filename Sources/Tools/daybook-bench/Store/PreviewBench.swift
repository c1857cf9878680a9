/// One record of a store that is not read: the settings, as a start asks for them, with the revision.
enum PreviewBench {
  static let measures = ["open, no record asked for", "preview a record in the journal", "preview a segment"]

  /// Openings in a round.
  private static let openings = 40

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let folder = bench.freshFolder()
    try fixture.copy(to: folder)
    let tail = try StoreUnderTest.addSettings(to: folder, folds: false)
    let folded = bench.freshFolder()
    try fixture.copy(to: folded)
    let segment = try StoreUnderTest.addSettings(to: folded, folds: true)
    var series = [Series(), Series(), Series()]
    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 2 : openings) {
        series[0].append(try milliseconds { () throws(BenchError) in try StoreUnderTest.preview(folder, nil) })
        series[1].append(try milliseconds { () throws(BenchError) in try StoreUnderTest.preview(folder, tail) })
        series[2].append(try milliseconds { () throws(BenchError) in try StoreUnderTest.preview(folded, segment) })
      }
    }
    return zip(measures, series).map { Row($0, "ms", $1.median, goal: .atMost(0.5)) }
  }

  private static func milliseconds(_ body: () throws(BenchError) -> Void) throws(BenchError) -> Double {
    let start = Clocks.now()
    try body()
    return Double(Clocks.now() - start) / 1e6
  }
}
