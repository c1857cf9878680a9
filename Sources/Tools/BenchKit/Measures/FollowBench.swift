import Foundation

/// Two services on one folder: how fast one sees the other's writes.
enum FollowBench {
  static let group = Group(
    "two processes", ofStore: true,
    [
      Measure("another's write, seen by the next request", .percent, "seen", goal: .atLeast(100)),
      Measure("that request p50", .microseconds, "request", .share(0.5)),
      Measure("another's write, seen idle p50", .milliseconds, "idle", .share(0.5)),
      Measure("another's write, seen idle p99", .milliseconds, "idle", .share(0.99), goal: .atMost(50)),
    ]
  ) { bench throws(BenchError) in
    let folder = bench.freshFolder()
    let writer = try bench.service(folder)
    try writer.request(Bench.addMeal)
    let reader = try bench.service(folder)
    try reader.request("meals/list", "{\"limit\":1}")
    var random = SeededRandom(seed: 1)
    return { figures throws(BenchError) in
      var seen = 0
      let writes = bench.count(20, smoke: 3)
      for _ in 0..<writes {
        // Idle: the reader gets no requests, long enough for it to sleep.
        usleep(UInt32(random.int(bench.options.isSmoke ? 1000...2000 : 20_000...120_000)))
        let start = Clocks.now()
        let revision = try add(writer)
        try reader.awaitNotification("mealsChanged", revision: revision, milliseconds: patience)
        figures.add("idle", [Clocks.now() - start])
        // Sent as soon as the writer has its response.
        let next = try add(writer)
        let begin = Clocks.now()
        let status = try reader.request("meals/list", "{\"limit\":1}") as? [String: Any]
        figures.add("request", [Clocks.now() - begin])
        if status?["revision"] as? Int == next { seen += 1 }
      }
      figures.add("seen", 100 * Double(seen) / Double(writes))
    }
  }

  /// The time limit for an event, in milliseconds.
  private static let patience: Int32 = 5000

  /// Adds a meal and returns the revision it made.
  private static func add(_ writer: Spawned) throws(BenchError) -> Int {
    let answer = try writer.request(Bench.addMeal) as? [String: Any]
    guard let revision = answer?["revision"] as? Int else { throw .wrong("“meals/add” returns no revision") }
    return revision
  }
}

extension Spawned {
  /// Waits for a notification with that revision or a later one.
  fileprivate func awaitNotification(_ method: String, revision: Int, milliseconds: Int32) throws(BenchError) {
    stillAlive()
    while true {
      guard hasMessage || isReadable(within: milliseconds) else {
        throw .wrong("\(name) has not announced revision \(revision) of another process after \(milliseconds) ms")
      }
      let body = try receive()
      guard let message = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any],
        message["method"] as? String == method, let params = message["params"] as? [String: Any],
        let announced = params["revision"] as? Int, announced >= revision
      else { continue }
      guard params["origin"] as? String == "otherProcess" else {
        throw .wrong("\(name) announces another process's change as \(params["origin"] ?? "nobody's")")
      }
      return
    }
  }
}
