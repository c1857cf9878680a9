import Foundation

/// Undoing the largest import that can be undone.
enum UndoBench {
  static let group = Group(
    "undo", ofStore: true, isLong: true,
    [
      Measure("undo of an import of 100,000 rows", .milliseconds, "time", goal: .atMost(5000)),
      Measure(
        "peak of memory until then", .megabytes, "peak", beside: ("before the undo", "before"), goal: .atMost(300)),
    ]
  ) { bench throws(BenchError) in
    let rows = bench.count(100_000, smoke: 2000)
    let file = bench.freshFolder() + ".csv"
    let days = (0..<rows).map { "\(2016 + $0 * 10 / rows)-\(two(1 + $0 % 12))-\(two(1 + $0 / 12 % 28))" }
    let table = days.enumerated().map { "\($1),Lunch,Food number \($0),\(100 + $0 % 700),\($0 % 40),\($0 % 90)" }
    let text = (["Date,Meal,Food,Calories,Protein,Carbs"] + table).joined(separator: "\n") + "\n"
    try Bench.expect(
      FileManager.default.createFile(atPath: file, contents: Data(text.utf8)), "\(file) cannot be written")
    return { figures throws(BenchError) in
      let server = try bench.service(bench.freshFolder())
      try server.request("nutrition/import", "{\"path\":\"\(file)\",\"dateFormat\":\"ymd\"}")
      try server.request("meals/list", "{\"limit\":1}")
      if let before = server.memory("VmRSS") { figures.add("before", before) }
      let start = Clocks.now()
      try server.request("changes/undo")
      figures.add("time", Double(Clocks.now() - start))
      if let peak = server.memory("VmHWM") { figures.add("peak", peak) }
      try server.end()
    }
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
