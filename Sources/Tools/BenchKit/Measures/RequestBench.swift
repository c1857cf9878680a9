/// Read requests: sequential, pipelined, and long lists.
enum RequestBench {
  static let group = Group("requests", warmsUp: true, measures) { bench throws(BenchError) in
    let few = try bench.service(bench.folder(meals: 4))
    let many = try bench.service(bench.folder(meals: 1000))
    // A service without a store.
    let none = try bench.service(bench.freshFolder())
    let floor = try bench.floorServer()
    try check(few, many)
    let time = bench.options.milliseconds
    return { figures throws(BenchError) in
      for (name, server, request) in [
        ("info", few, info), ("days", few, days), ("info, no store", none, info), ("days, no store", none, days),
      ] { figures.add(latenciesOf: try server.sequence(request, milliseconds: time), name) }
      if let floor { figures.add(latenciesOf: try floor.sequence(echo, milliseconds: time), "floor") }
      for (name, server, request) in [("info", few, info), ("days", few, days), ("days, no store", none, days)] {
        figures.add(throughputOf: try server.pipeline(request, window: 64, milliseconds: time), name)
      }
      if let floor { figures.add(throughputOf: try floor.pipeline(echo, window: 64, milliseconds: time), "floor") }
      figures.add(throughputOf: try many.pipeline(list, window: 8, milliseconds: time), "list")
      if let floor {
        figures.add(throughputOf: try floor.pipeline(echoList, window: 8, milliseconds: time), "floor list")
      }
    }
  }

  private static let measures =
    [("server/info", "info", 0.7), ("days/get", "days", 1.2), ("days/get without a store", "days, no store", 1.2)]
    .flatMap { name, key, microseconds in
      [
        Measure("\(name), round trip p50", .microseconds, "\(key) p50", beside: ("floor", "floor p50"), goal: p50),
        Measure("\(name), round trip p99", .microseconds, "\(key) p99", beside: ("floor", "floor p99"), goal: p99),
        Measure("\(name), 64 in flight", .perSecond, "\(key) /s", beside: ("floor", "floor /s")),
        Measure(
          "\(name), server CPU", .microseconds, "\(key) CPU", beside: ("floor", "floor CPU"),
          goal: .atMost(microseconds)),
      ]
    } + [
      Measure(
        "server/info without a store, round trip p50", .microseconds, "info, no store p50",
        beside: ("floor", "floor p50"), goal: p50),
      Measure("1,000 meals, lists", .perSecond, "list /s", beside: ("floor", "floor list /s")),
      Measure(
        "1,000 meals, server CPU", .microseconds, "list CPU", beside: ("floor", "floor list CPU"), goal: .atMost(150)),
    ]

  private static let p50 = Goal.ratioAtMost(1.2)
  private static let p99 = Goal.ratioAtMost(1.5)
  private static let info = Request("server/info")
  private static let days = Request("days/get", "{\"day\":\"\(Bench.day)\"}")
  private static let list = Request("meals/list", "{\"limit\":1000}")
  private static let echo = Request("echo/small", "{\"day\":\"\(Bench.day)\"}")
  private static let echoList = Request("echo/list1000", "{}")

  /// Verifies the results.
  private static func check(_ few: Spawned, _ many: Spawned) throws(BenchError) {
    let about = try few.request(info) as? [String: Any]
    try Bench.expect(about?["name"] as? String == "daybook", "“server/info” is wrong: \(about ?? [:])")
    let today = try few.request(days) as? [String: Any]
    try Bench.expect(
      today?["mealCount"] as? Int == 4 && today?["caloriesConsumed"] as? Int == 1400
        && today?["protein"] as? String == "50", "“days/get” is wrong: \(today ?? [:])")
    let meals = (try many.request(list) as? [String: Any])?["meals"] as? [[String: Any]] ?? []
    try Bench.expect(
      meals.count == 1000 && Set(meals.compactMap { $0["id"] as? String }).count == 1000
        && meals.allSatisfy { $0["calories"] as? Int == 350 }, "“meals/list” is wrong")
  }
}
