import Foundation

/// From nothing to the answer to `initialize`, with much data and with none.
enum OpenBench {
  static let measures = [StoreSize.tenYears, .lifetime].flatMap {
    ["open, \($0.name) records", "resident after open, \($0.name)"]
  }

  /// How many starts make a round, and how many milliseconds they may take before the rest of them is left out.
  private static let starts = 15
  private static let patience = 3000

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let empty = bench.freshFolder()
    do { try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true) } catch {
      throw .usage("\(empty) cannot be made: \(error.localizedDescription)")
    }
    var rows: [Row] = []
    for size in [StoreSize.tenYears, .lifetime] {
      guard size.records == StoreSize.tenYears.records || bench.options.isFull || bench.options.isSmoke else {
        continue
      }
      let fixture = try bench.fixture(size.scaled(bench.options))
      var (full, none) = (Figures(), Figures())
      for _ in 0..<bench.options.rounds {
        let begin = Clocks.now()
        for _ in 0..<(bench.options.isSmoke ? 2 : starts) {
          try full.take(bench, fixture.folder)
          try none.take(bench, empty)
          if Clocks.now() - begin > UInt64(patience) * 1_000_000 { break }
        }
      }
      rows += [
        Row(
          "open, \(size.name) records", "ms", full.times.median, beside: "empty folder", none.times.median,
          goal: .ratioAtMost(1.25)),
        Row(
          "resident after open, \(size.name)", "MB", full.memory.median, beside: "empty folder", none.memory.median,
          goal: .atMost(8)),
      ]
    }
    return rows
  }

  private struct Figures {
    var times = Series()
    var memory = Series()

    /// Starts a service on a folder. It is killed then, not asked to end, for an end may tidy the folder up.
    mutating func take(_ bench: Bench, _ folder: String) throws(BenchError) {
      let started = try StartBench.begin("daybook", [bench.options.daybook, "serve", "--data", folder])
      times.append(started.milliseconds, disturbance: started.disturbance)
      if let resident = started.memory { memory.append(resident) }
    }
  }
}
