/// Memory after many requests.
enum MemoryBench {
  static let group = Group(
    "memory", isLong: true,
    [
      Measure(
        "resident after 100,000 requests, grown by", .megabytes, "grown", beside: ("before", "before"),
        goal: .atMost(0.25)),
      Measure("peak after 100,000 requests", .megabytes), Measure("peak after lists", .megabytes),
    ]
  ) { bench throws(BenchError) in
    let count = bench.count(100_000, smoke: 2000)
    return { figures throws(BenchError) in
      let server = try bench.service(bench.folder(meals: 4))
      func work(_ count: Int) throws(BenchError) {
        for request in [Request("server/info"), Request("days/get", "{\"day\":\"\(Bench.day)\"}")] {
          try server.sequence(request, limit: count / 4)
          try server.pipeline(request, window: 64, limit: count / 4)
        }
      }
      // Warm-up: one-time allocations happen here.
      try work(count / 10)
      guard let before = server.memory("VmRSS") else { return }
      try work(count)
      figures.add("before", before)
      figures.add("grown", (server.memory("VmRSS") ?? before) - before)
      if let peak = server.memory("VmHWM") { figures.add("peak after 100,000 requests", peak) }
      try server.end()
      let many = try bench.service(bench.folder(meals: 1000))
      try many.pipeline(Request("meals/list", "{\"limit\":1000}"), window: 8, limit: 200)
      if let peak = many.memory("VmHWM") { figures.add("peak after lists", peak) }
      try many.end()
    }
  }
}
