import CivilTime
import Foundation

/// The meals of a month of the first year: asked for first in a process's life, and again.
enum OldMonthBench {
  static let measures = [
    "old month, first query p50", "old month, first query p99", "old month, warm p50", "old month, warm p99",
  ]

  /// Processes in a round, each with a month of its own; and queries after the first.
  private static let months = 6
  private static let queries = 50

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let sqlite = bench.sqlite()
    var (first, warm) = ([UInt64](), [UInt64]())
    var (sqliteFirst, sqliteWarm) = ([UInt64](), [UInt64]())
    var month = 0
    var meals = 0
    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 2 : months) {
        let days = fixture.generator.oldMonth(month % 12 + 1)
        month += 1
        let params = "{\"from\":\"\(days.lowerBound)\",\"to\":\"\(days.upperBound)\",\"limit\":10000}"
        let request = Request("meals/list", params)
        // Killed, not asked to end, for an end may tidy the folder up.
        let server = try bench.service(fixture.folder)
        first += try server.sequence(request, limit: 1).latencies
        warm += try server.sequence(request, limit: queries).latencies
        let found = ((try server.request(request) as? [String: Any])?["meals"] as? [Any])?.count ?? -1
        meals += found
        guard let sqlite, let database = fixture.database else { continue }
        let anchor = try sqlite.month(database, days, warm: queries)
        sqliteFirst.append(anchor.cold)
        sqliteWarm += anchor.warm
        try Bench.expect(anchor.count == found, "daybook finds \(found) meals in \(days), SQLite \(anchor.count)")
      }
    }
    bench.remarks.append("an old month has \(meals / max(month, 1)) meals on average")
    func row(_ index: Int, _ values: [UInt64], _ share: Double, _ anchor: [UInt64], _ goal: Goal?) -> Row {
      Row(
        measures[index], "ms", Statistics.quantile(values, share) / 1e6, beside: "SQLite",
        anchor.isEmpty ? nil : Statistics.quantile(anchor, share) / 1e6, goal: goal)
    }
    return [
      row(0, first, 0.5, sqliteFirst, .ratioAtMost(1)), row(1, first, 0.99, sqliteFirst, nil),
      row(2, warm, 0.5, sqliteWarm, .ratioAtMost(0.25)), row(3, warm, 0.99, sqliteWarm, nil),
    ]
  }
}
