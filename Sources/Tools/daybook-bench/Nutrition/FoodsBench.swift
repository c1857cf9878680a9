import Foundation

/// Foods out of ten years of meals: the first search of a process, which reads them all, and searches as somebody types.
enum FoodsBench {
  static let measures = [
    "foods/search first", "session/get behind it, worst", "foods/search “oat” p50", "foods/search “oat” p99",
    "foods/search “a” p50", "foods/search “a” p99", "foods/search after meals/add p50",
    "foods/search after meals/add p99", "foods/recents p50", "foods/recents p99",
  ]

  /// Processes in a round, and requests of each kind in a process.
  private static let processes = 3
  private static let requests = 300
  /// Changes in a process, each followed by a search.
  private static let changes = 100

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let folder = bench.freshFolder()
    try fixture.copy(to: folder)
    var figures = [[UInt64]](repeating: [], count: 6)
    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 1 : processes) { try take(bench, folder, &figures) }
    }
    func row(_ index: Int, _ values: [UInt64], _ share: Double, goal: Goal? = .atMost(1000)) -> Row {
      Row(measures[index], "µs", Statistics.quantile(values, share) / 1e3, goal: goal)
    }
    return [
      row(0, figures[0], 0.5, goal: nil), row(1, figures[1], 1, goal: nil), row(2, figures[2], 0.5),
      row(3, figures[2], 0.99), row(4, figures[3], 0.5), row(5, figures[3], 0.99), row(6, figures[4], 0.5),
      row(7, figures[4], 0.99), row(8, figures[5], 0.5), row(9, figures[5], 0.99),
    ]
  }

  /// One process; killed, not asked to end, for an end may tidy the folder up.
  private static func take(_ bench: Bench, _ folder: String, _ figures: inout [[UInt64]]) throws(BenchError) {
    let count = bench.options.isSmoke ? 3 : requests
    let server = try bench.service(folder)
    // So that the store itself is read, and the launch over.
    _ = try server.request("meals/list", "{\"limit\":1}")
    var report: [String: Any]?
    repeat {
      report = try server.request("startup/report") as? [String: Any]
    } while report?["state"] as? String != "ready"
    let oat = Request("foods/search", "{\"query\":\"oat\"}")
    // The session itself is asked while the foods are read.
    let first = server.takeIDs(1)
    let start = Clocks.now()
    try server.send(oat.frame(first))
    var worst: UInt64 = 0
    var isFound = false
    while !isFound {
      let other = server.takeIDs(1)
      let sent = Clocks.now()
      try server.send(Request("session/get").frame(other))
      var id: Int?
      repeat {
        let body = try server.receive()
        id = ((try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any])?["id"] as? Int
        if id == first {
          figures[0].append(Clocks.now() - start)
          isFound = true
        }
      } while id != other
      worst = max(worst, Clocks.now() - sent)
    }
    figures[1].append(worst)
    figures[2] += try server.sequence(oat, limit: count).latencies
    figures[3] += try server.sequence(Request("foods/search", "{\"query\":\"a\"}"), limit: count).latencies
    for _ in 0..<(bench.options.isSmoke ? 2 : changes) {
      _ = try server.request(Bench.addMeal)
      figures[4] += try server.sequence(oat, limit: 1).latencies
    }
    figures[5] += try server.sequence(Request("foods/recents"), limit: count).latencies
    let found = (try server.request(oat) as? [String: Any])?["foods"] as? [[String: Any]]
    try Bench.expect(
      (found?.first?["name"] as? String)?.hasPrefix("Oat bowl") ?? false, "a search for “oat” finds no oat bowl")
  }
}

extension Request {
  /// The frame of the request numbered `id`.
  fileprivate func frame(_ id: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    append(id, to: &bytes)
    return bytes
  }
}
