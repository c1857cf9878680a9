import BenchKit

/// The meals of a month of the first year: first in a process, and warm.
enum OldMonthBench {
  static let group = Group(
    "old months", ofStore: true,
    [
      Measure(
        "old month, first query p50", .milliseconds, "first", .share(0.5), beside: ("SQLite", "SQLite first"),
        goal: .ratioAtMost(1)),
      Measure("old month, first query p99", .milliseconds, "first", .share(0.99), beside: ("SQLite", "SQLite first")),
      Measure(
        "old month, warm p50", .milliseconds, "warm", .share(0.5), beside: ("SQLite", "SQLite warm"),
        goal: .ratioAtMost(0.25)),
      Measure("old month, warm p99", .milliseconds, "warm", .share(0.99), beside: ("SQLite", "SQLite warm")),
      Measure("meals in it", .count, "meals"),
    ]
  ) { bench throws(BenchError) in
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let sqlite = bench.sqlite()
    let queries = 50
    var month = 0
    return { figures throws(BenchError) in
      for _ in 0..<bench.count(6, smoke: 2) {
        let days = fixture.generator.oldMonth(month % 12 + 1)
        month += 1
        let params = "{\"from\":\"\(days.lowerBound)\",\"to\":\"\(days.upperBound)\",\"limit\":10000}"
        let request = Request("meals/list", params)
        // Killed, because a clean exit may compact the folder.
        let server = try bench.service(fixture.folder)
        figures.add("first", try server.sequence(request, limit: 1).latencies)
        figures.add("warm", try server.sequence(request, limit: queries).latencies)
        let found = ((try server.request(request) as? [String: Any])?["meals"] as? [Any])?.count ?? -1
        figures.add("meals", Double(found))
        guard let sqlite, let database = fixture.database else { continue }
        let anchor = try sqlite.month(database, days, warm: queries)
        figures.add("SQLite first", [anchor.cold])
        figures.add("SQLite warm", anchor.warm)
        try Bench.expect(anchor.count == found, "daybook finds \(found) meals in \(days), SQLite \(anchor.count)")
      }
    }
  }
}
