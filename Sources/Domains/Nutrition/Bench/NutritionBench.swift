import BenchKit
import CivilTime

/// Sums over years of meals: first in a process, warm, and after a meal was added.
package enum NutritionBench {
  package static let groups = [OldMonthBench.group, group, FoodsBench.group]

  private static let echo = ("server/info p50", "echo")

  private static let group = Group(
    "nutrition", ofStore: true,
    [
      Measure(
        "days/get, ten years, p50", .microseconds, "today", .share(0.5), beside: echo, goal: .ratioAtMost(1.5)),
      Measure("years/get, first", .milliseconds, "year, first", .share(0.5), goal: .atMost(2)),
      Measure("years/get, warm p50", .microseconds, "year, warm", .share(0.5), beside: echo, goal: .atMost(5000)),
      Measure("years/get after meals/add, p50", .microseconds, "year after", .share(0.5), beside: echo),
      Measure("streaks/get, first", .milliseconds, "streaks, first", .share(0.5), goal: .atMost(8)),
      Measure("streaks/get, warm p50", .microseconds, "streaks, warm", .share(0.5), beside: echo),
      Measure("days/series of all days, first", .milliseconds, "days, first", .share(0.5), goal: .atMost(8)),
      Measure("days/series of all weeks, warm p50", .microseconds, "weeks, warm", .share(0.5), beside: echo),
      Measure("energy/expenditure, first", .milliseconds, "expenditure, first", .share(0.5)),
      Measure("energy/expenditure, warm p50", .microseconds, "expenditure, warm", .share(0.5), beside: echo),
      Measure("weights/trend of a year, warm p50", .microseconds, "trend, warm", .share(0.5), beside: echo),
    ]
  ) { bench throws(BenchError) in
    bench.remark("nutrition: the service of the “first” and “warm” figures may use all CPUs, the client one")
    let start = try bench.fixture(.tenYears.scaled(bench.options)).generator.start
    let folder = try bench.copyOfTenYears()
    let last = RecordGenerator.end.advanced(by: -1)
    let year = Request("years/get", "{\"day\":\"\(last)\"}")
    let requests = [
      ("year", year), ("streaks", Request("streaks/get")),
      ("days", Request("days/series", "{\"from\":\"\(start)\",\"to\":\"\(last)\"}")),
      ("weeks", Request("days/series", "{\"from\":\"\(start)\",\"to\":\"\(last)\",\"bucket\":\"week\"}")),
      ("expenditure", Request("energy/expenditure", "{\"day\":\"\(last)\"}")),
      ("trend", Request("weights/trend", "{\"from\":\"\(last.advanced(by: -364))\",\"to\":\"\(last)\"}")),
    ]
    let today = Request("days/get", "{\"day\":\"\(last)\"}")
    let add = Request("meals/add", "{\"day\":\"\(last)\",\"name\":\"Oat bowl {{i}}\",\"calories\":350}")
    return { figures throws(BenchError) in
      for _ in 0..<bench.count(4, smoke: 1) {
        for (name, request) in requests {
          // Reading years uses a second CPU, as a real service would.
          let server = try CPUPinning.onAll { () throws(BenchError) in try bench.service(folder) }
          try server.request("server/info")
          figures.add("\(name), first", try server.sequence(request, limit: 1).latencies)
          figures.add("\(name), warm", try server.sequence(request, limit: bench.count(200, smoke: 3)).latencies)
        }
      }
      let server = try bench.service(folder)
      // These are too fast for few repetitions.
      let quick = bench.count(5000, smoke: 3)
      try server.sequence(today, limit: quick / 10 + 1)
      for _ in 0..<2 {
        figures.add("today", try server.sequence(today, limit: quick).latencies)
        figures.add("echo", try server.sequence(Request("server/info"), limit: quick).latencies)
      }
      for _ in 0..<bench.count(50, smoke: 3) {
        try server.sequence(add, limit: 1)
        figures.add("year after", try server.sequence(year, limit: 1).latencies)
      }
    }
  }
}
