import Foundation

/// The latency of small requests during heavy work, on ten years of records.
enum StallBench {
  static let group = Group(
    "stalls", ofStore: true, isLong: true,
    kinds.flatMap { kind in
      [("worst", 1), ("p99", 0.99)].map { name, share in
        Measure(
          "session/get while heavy work runs: \(kind.name), \(name)", .milliseconds, kind.name, .share(share),
          goal: .atMost(2))
      }
    }
  ) { bench throws(BenchError) in
    let folder = try bench.copyOfTenYears()
    let export = try exportOfMeals(bench)
    return { figures throws(BenchError) in
      for kind in kinds {
        // First searches, and imports into an empty folder, need a fresh process.
        let server = try bench.service(kind.startsEmpty ? bench.freshFolder() : folder)
        try server.request("meals/list", "{\"limit\":1}")
        try server.waitForLaunch()
        figures.add(kind.name, try kind.run(server, bench.freshFolder(), export).others)
      }
    }
  }

  private struct Kind: Sendable {
    let name: String
    var startsEmpty = false
    /// Does the work, given an unused path and the path of an export.
    let run: @Sendable (Spawned, String, String) throws(BenchError) -> Spawned.Meanwhile
  }

  private static func simple(_ name: String, _ method: String, _ params: String? = nil) -> Kind {
    Kind(name: name) { server, _, _ throws(BenchError) in try server.meanwhile(Request(method, params)) }
  }

  private static let kinds = [
    simple("food index", "foods/search", "{\"query\":\"oat\"}"),
    simple("streaks", "streaks/get"), simple("series of everything", "days/series", "{\"bucket\":\"month\"}"),
    simple("scrubbing", "store/health", "{\"scrub\":true}"), simple("backup", "backup/create"),
    Kind(name: "export") { server, free, _ throws(BenchError) in
      try server.meanwhile(Request("data/export", "{\"path\":\"\(free)\"}"))
    },
    Kind(name: "import", startsEmpty: true) { server, _, export throws(BenchError) in
      try server.meanwhile(Request("data/import", "{\"path\":\"\(export)\",\"mode\":\"merge\"}"))
    },
    Kind(name: "undo of an import", startsEmpty: true) { server, _, export throws(BenchError) in
      try server.request(
        "data/import", "{\"lines\":[\(try meals(in: export, 1000).joined(separator: ","))],\"mode\":\"merge\"}")
      return try server.meanwhile(Request("changes/undo"))
    },
  ]

  /// An export by the service of ten years of meals; the fixture's other records are not in its format.
  private static func exportOfMeals(_ bench: Bench) throws(BenchError) -> String {
    let all = try meals(in: try bench.fixture(.tenYears.scaled(bench.options)).export, .max)
    let server = try bench.service(bench.freshFolder())
    for start in stride(from: 0, to: all.count, by: 10_000) {
      let some = all[start..<min(start + 10_000, all.count)].joined(separator: ",")
      try server.request("data/import", "{\"lines\":[\(some)],\"mode\":\"merge\"}")
    }
    let export = bench.freshFolder()
    try server.request("data/export", "{\"path\":\"\(export)\"}")
    _ = try server.end()
    return export
  }

  /// The lines of the first `count` meals in an export.
  private static func meals(in export: String, _ count: Int) throws(BenchError) -> [String] {
    guard let data = FileManager.default.contents(atPath: export) else { throw .usage("\(export) cannot be read") }
    let mark = "{\"collection\":\"meals\","
    return String(decoding: data, as: UTF8.self).split(separator: "\n").lazy.filter { $0.hasPrefix(mark) }.prefix(count)
      .map(String.init)
  }
}
