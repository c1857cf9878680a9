import Foundation

/// Reading requests: one by one, many at once, and long lists.
enum RequestBench {
  static let measures =
    small.flatMap { name in
      ["p50", "p99"].map { "\(name), round trip \($0)" } + ["\(name), 64 in flight", "\(name), server CPU"]
    } + ["1,000 meals, lists", "1,000 meals, server CPU"]

  private static let small = ["server/info", "days/get"]

  /// What is measured of one kind of request.
  private struct Figures {
    var p50 = Series()
    var p99 = Series()
    var perSecond = Series()
    var cpu = Series()

    mutating func take(_ load: Load) {
      perSecond.append(load.perSecond, disturbance: load.disturbance)
      cpu.append(load.cpuEach, disturbance: load.disturbance)
    }

    mutating func takeLatency(_ load: Load) {
      p50.append(load.latency(0.5), disturbance: load.disturbance)
      p99.append(load.latency(0.99), disturbance: load.disturbance)
    }
  }

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let few = try bench.service(bench.folder(meals: 4))
    let many = try bench.service(bench.folder(meals: 1000))
    let floor = try bench.floorServer()
    let requests = [Request("server/info"), Request("days/get", "{\"day\":\"\(Bench.day)\"}")]
    let list = Request("meals/list", "{\"limit\":1000}")
    let echo = Request("echo/small", "{\"day\":\"\(Bench.day)\"}")
    let echoList = Request("echo/list1000", "{}")
    try check(few, many, requests, list)

    var ours = [Figures(), Figures()]
    var lists = Figures()
    var floorSmall = Figures()
    var floorLists = Figures()
    let time = bench.options.milliseconds
    for round in 0...bench.options.rounds {
      // The first round warms everything up and does not count.
      let isCounted = round > 0
      for (index, request) in requests.enumerated() {
        let load = try few.sequence(request, milliseconds: time)
        if isCounted { ours[index].takeLatency(load) }
      }
      if let load = try floor?.sequence(echo, milliseconds: time), isCounted { floorSmall.takeLatency(load) }
      for (index, request) in requests.enumerated() {
        let load = try few.pipeline(request, window: 64, milliseconds: time)
        if isCounted { ours[index].take(load) }
      }
      if let load = try floor?.pipeline(echo, window: 64, milliseconds: time), isCounted { floorSmall.take(load) }
      let load = try many.pipeline(list, window: 8, milliseconds: time)
      if isCounted { lists.take(load) }
      if let load = try floor?.pipeline(echoList, window: 8, milliseconds: time), isCounted { floorLists.take(load) }
    }
    for server in [few, many, floor] { _ = try server?.end() }
    func beside(_ series: Series) -> Double? { floor == nil ? nil : series.median }
    var rows: [Row] = []
    for (index, name) in small.enumerated() {
      let own = ours[index]
      rows += [
        Row(
          "\(name), round trip p50", "µs", own.p50.median, beside: "floor", beside(floorSmall.p50),
          goal: .ratioAtMost(1.3)),
        Row(
          "\(name), round trip p99", "µs", own.p99.median, beside: "floor", beside(floorSmall.p99),
          goal: .ratioAtMost(2)),
        Row("\(name), 64 in flight", "/s", own.perSecond.median, beside: "floor", beside(floorSmall.perSecond)),
        Row(
          "\(name), server CPU", "µs", own.cpu.median, beside: "floor", beside(floorSmall.cpu),
          goal: .atMost(index == 0 ? 1 : 3)),
      ]
    }
    return rows + [
      Row("1,000 meals, lists", "/s", lists.perSecond.median, beside: "floor", beside(floorLists.perSecond)),
      Row(
        "1,000 meals, server CPU", "µs", lists.cpu.median, beside: "floor", beside(floorLists.cpu), goal: .atMost(250)),
    ]
  }

  /// The answers are those of a service that works.
  private static func check(
    _ few: Spawned, _ many: Spawned, _ requests: [Request], _ list: Request
  ) throws(BenchError) {
    let info = try few.request(requests[0]) as? [String: Any]
    try Bench.expect(info?["name"] as? String == "daybook", "“server/info” is wrong: \(info ?? [:])")
    let today = try few.request(requests[1]) as? [String: Any]
    try Bench.expect(
      today?["mealCount"] as? Int == 4 && today?["caloriesConsumed"] as? Int == 1400
        && today?["protein"] as? String == "50.00", "“days/get” is wrong: \(today ?? [:])")
    let meals = (try many.request(list) as? [String: Any])?["meals"] as? [[String: Any]] ?? []
    try Bench.expect(
      meals.count == 1000 && Set(meals.compactMap { $0["id"] as? String }).count == 1000
        && meals.allSatisfy { $0["calories"] as? Int == 350 }, "“meals/list” is wrong")
  }
}
