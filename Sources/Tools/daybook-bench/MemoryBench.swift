/// Memory after much work.
enum MemoryBench {
  static let measures = [
    "resident after 100,000 requests, grown by", "peak after 100,000 requests", "peak after lists",
  ]

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let requests = [Request("server/info"), Request("days/get", "{\"day\":\"\(Bench.day)\"}")]
    let count = bench.options.isSmoke ? 2000 : 100_000
    let server = try bench.service(bench.folder(meals: 4))
    func work(_ count: Int) throws(BenchError) {
      for request in requests {
        _ = try server.sequence(request, limit: count / 4)
        _ = try server.pipeline(request, window: 64, limit: count / 4)
      }
    }
    // What is needed once is needed by now.
    try work(count / 10)
    let before = server.memory("VmRSS")
    try work(count)
    let after = server.memory("VmRSS")
    let peak = server.memory("VmHWM")
    _ = try server.end()

    let many = try bench.service(bench.folder(meals: 1000))
    _ = try many.pipeline(Request("meals/list", "{\"limit\":1000}"), window: 8, limit: 200)
    let peakOfLists = many.memory("VmHWM")
    _ = try many.end()
    guard let before, let after, let peak, let peakOfLists else { return [] }
    return [
      Row(measures[0], "MB", after - before, beside: "before", before, goal: .atMost(0.25)),
      Row(measures[1], "MB", peak),
      Row(measures[2], "MB", peakOfLists),
    ]
  }
}
