import BenchKit
import Foundation

/// Food searches over ten years of meals: the first of a process, which reads them all, and warm ones.
enum FoodsBench {
  static let group = Group(
    "foods", ofStore: true,
    [
      Measure("foods/search first", .milliseconds, "first", .share(0.5), goal: .atMost(20)),
      Measure("session/get behind it, worst", .milliseconds, "behind", .share(1), goal: .atMost(2)),
    ]
      + ["foods/search “oat”", "foods/search “a”", "foods/search after meals/add", "foods/recents"].flatMap(typed)
  ) { bench throws(BenchError) in
    let folder = try bench.copyOfTenYears()
    return { figures throws(BenchError) in
      // Killed, because a clean exit may compact the folder.
      for _ in 0..<bench.count(3, smoke: 1) { try measure(bench, folder, &figures) }
    }
  }

  private static func typed(_ name: String) -> [Measure] {
    [("p50", 0.5), ("p99", 0.99)].map { quantile, share in
      Measure("\(name) \(quantile)", .microseconds, name, .share(share), goal: .atMost(1000))
    }
  }

  private static let oat = Request("foods/search", "{\"query\":\"oat\"}")

  /// Measures one process.
  private static func measure(_ bench: Bench, _ folder: String, _ figures: inout Figures) throws(BenchError) {
    let count = bench.count(300, smoke: 3)
    let server = try bench.service(folder)
    // Opens the store, and waits until the launch tasks have run.
    try server.request("meals/list", "{\"limit\":1}")
    try server.waitForLaunch()
    let first = try server.meanwhile(oat)
    figures.add("first", [first.time])
    figures.add("behind", first.others)
    figures.add("foods/search “oat”", try server.sequence(oat, limit: count).latencies)
    let shortest = Request("foods/search", "{\"query\":\"a\"}")
    figures.add("foods/search “a”", try server.sequence(shortest, limit: count).latencies)
    for _ in 0..<bench.count(100, smoke: 2) {
      try server.request(Bench.addMeal)
      figures.add("foods/search after meals/add", try server.sequence(oat, limit: 1).latencies)
    }
    figures.add("foods/recents", try server.sequence(Request("foods/recents"), limit: count).latencies)
    let found = (try server.request(oat) as? [String: Any])?["foods"] as? [[String: Any]]
    try Bench.expect(
      (found?.first?["name"] as? String)?.hasPrefix("Oat bowl") ?? false, "a search for “oat” finds no oat bowl")
  }
}
