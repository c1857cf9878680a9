import CivilTime

/// What is counted over years of meals: asked for first in a process's life, again, and after a meal was added.
enum NutritionBench {
  static let measures = [
    "days/get, ten years, p50", "years/get, first", "years/get, warm p50", "years/get after meals/add, p50",
    "streaks/get, first", "streaks/get, warm p50", "days/series of all days, first",
    "days/series of all weeks, warm p50",
    "energy/expenditure, first", "energy/expenditure, warm p50", "weights/trend of a year, warm p50",
  ]

  /// Processes in a round, and requests after the first.
  private static let processes = 4
  private static let queries = 200
  /// Requests that are so fast that only many of them tell how fast.
  private static let quick = 5000

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let generator = fixture.generator
    let folder = bench.freshFolder()
    try fixture.copy(to: folder)
    let last = RecordGenerator.end.advanced(by: -1)
    let queries = bench.options.isSmoke ? 3 : queries
    let year = Request("years/get", "{\"day\":\"\(last)\"}")
    let streaks = Request("streaks/get")
    let days = Request("days/series", "{\"from\":\"\(generator.start)\",\"to\":\"\(last)\"}")
    let weeks = Request("days/series", "{\"from\":\"\(generator.start)\",\"to\":\"\(last)\",\"bucket\":\"week\"}")
    let expenditure = Request("energy/expenditure", "{\"day\":\"\(last)\"}")
    let trend = Request("weights/trend", "{\"from\":\"\(last.advanced(by: -364))\",\"to\":\"\(last)\"}")
    var figures: [String: [UInt64]] = [:]

    /// The first answer of a process, and those after it.
    func measure(_ name: String, _ request: Request) throws(BenchError) {
      // Reading years is worth a second CPU, and a service has it.
      let server = try CPUPinning.onAll { () throws(BenchError) in try bench.service(folder) }
      _ = try server.request("server/info")
      figures["\(name), first", default: []] += try server.sequence(request, limit: 1).latencies
      figures["\(name), warm", default: []] += try server.sequence(request, limit: queries).latencies
    }

    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 1 : processes) {
        try measure("year", year)
        try measure("streaks", streaks)
        try measure("days", days)
        try measure("weeks", weeks)
        try measure("expenditure", expenditure)
        try measure("trend", trend)
      }
      let server = try bench.service(folder)
      let quick = bench.options.isSmoke ? 3 : quick
      let today = Request("days/get", "{\"day\":\"\(last)\"}")
      let echo = Request("server/info")
      _ = try server.sequence(today, limit: quick / 10 + 1)
      for _ in 0..<2 {
        figures["today", default: []] += try server.sequence(today, limit: quick).latencies
        figures["echo", default: []] += try server.sequence(echo, limit: quick).latencies
      }
      let add = Request("meals/add", "{\"day\":\"\(last)\",\"name\":\"Oat bowl {{i}}\",\"calories\":350}")
      for _ in 0..<min(queries, 50) {
        _ = try server.sequence(add, limit: 1)
        figures["year after", default: []] += try server.sequence(year, limit: 1).latencies
      }
    }

    let echo = Statistics.quantile(figures["echo"] ?? [], 0.5)
    func row(_ index: Int, _ name: String, _ goal: Goal? = nil) -> Row {
      // What is read first takes milliseconds.
      let isFirst = name.hasSuffix("first")
      let unit: (name: String, nanoseconds: Double) = isFirst ? ("ms", 1e6) : ("µs", 1e3)
      return Row(
        measures[index], unit.name, Statistics.quantile(figures[name] ?? [], 0.5) / unit.nanoseconds,
        beside: "server/info p50", echo / unit.nanoseconds, goal: goal)
    }
    bench.remarks.append("nutrition: the service of the “first” and “warm” figures may use all CPUs, the client one")
    return [
      row(0, "today", .ratioAtMost(1.5)), row(1, "year, first"), row(2, "year, warm", .atMost(5000)),
      row(3, "year after"), row(4, "streaks, first", .atMost(30)), row(5, "streaks, warm"),
      row(6, "days, first", .atMost(30)), row(7, "weeks, warm"), row(8, "expenditure, first"),
      row(9, "expenditure, warm"), row(10, "trend, warm"),
    ]
  }
}
