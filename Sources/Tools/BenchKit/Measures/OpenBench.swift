import Foundation

/// The time from process start to the response to `initialize`, with much data and with none.
enum OpenBench {
  static let group = Group(
    "open", ofStore: true,
    [StoreSize.tenYears, .million, .lifetime].flatMap { size in
      [
        Measure(
          "open, \(size.name) records", .milliseconds, beside: ("empty folder", "empty beside \(size.name)"),
          goal: .ratioAtMost(1.1)),
        Measure("resident after open, \(size.name)", .megabytes, beside: ("empty folder", "empty"), goal: .atMost(5)),
      ]
    } + [
      Measure(
        "open in the middle of work, 160,000", .milliseconds, "busy", beside: ("empty folder", "empty beside busy"))
    ]
  ) { bench throws(BenchError) in
    let empty = bench.freshFolder()
    do { try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true) } catch {
      throw .usage("\(empty) cannot be made: \(error.localizedDescription)")
    }
    let isWhole = bench.options.isFull || bench.options.isSmoke
    let sizes = isWhole ? [StoreSize.tenYears, .million, .lifetime] : [.tenYears]
    let busy = bench.freshFolder()
    try bench.fixture(StoreSize.tenYears.scaled(bench.options)).copyInUse(to: busy)
    return { figures throws(BenchError) in
      for size in sizes {
        let folder = try bench.fixture(size.scaled(bench.options)).folder
        for _ in 0..<bench.count(15, smoke: 2) {
          // Killed rather than shut down, because a shutdown may checkpoint the folder.
          let full = try StartBench.begin("open, \(size.name) records", "daybook", bench.serve(folder), &figures)
          if let memory = full.memory("VmRSS") { figures.add("resident after open, \(size.name)", memory) }
          let none = try StartBench.begin("empty beside \(size.name)", "daybook", bench.serve(empty), &figures)
          if let memory = none.memory("VmRSS") { figures.add("empty", memory) }
        }
      }
      for _ in 0..<bench.count(15, smoke: 2) {
        _ = try StartBench.begin("busy", "daybook", bench.serve(busy), &figures)
        _ = try StartBench.begin("empty beside busy", "daybook", bench.serve(empty), &figures)
      }
    }
  }
}
