import Foundation

/// Two services on one folder: how soon one sees what the other has written.
enum FollowBench {
  static let measures = [
    "another's write, seen by the next request", "that request p50", "another's write, seen idle p50",
    "another's write, seen idle p99",
  ]

  /// Writes in a round.
  private static let writes = 20
  /// So long an event is waited for, in milliseconds.
  private static let patience: Int32 = 5000

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let folder = bench.freshFolder()
    let writer = try bench.service(folder)
    _ = try writer.request(Bench.addMeal)
    let reader = try second(bench, folder)
    var random = SeededRandom(seed: 1)
    var (idle, requests) = ([UInt64](), [UInt64]())
    var (seen, asked) = (0, 0)
    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 3 : writes) {
        // Idle: nothing is asked of the reader, which has been left alone for long enough to sleep.
        usleep(UInt32(random.int(bench.options.isSmoke ? 1000...2000 : 20_000...120_000)))
        let start = Clocks.now()
        let revision = try add(writer)
        try reader.awaitNotification("mealsChanged", revision: revision, milliseconds: patience)
        idle.append(Clocks.now() - start)
        // The next request: sent as soon as the writer has its answer.
        let next = try add(writer)
        let begin = Clocks.now()
        let status = try reader.request("meals/list", "{\"limit\":1}") as? [String: Any]
        requests.append(Clocks.now() - begin)
        asked += 1
        if status?["revision"] as? Int == next { seen += 1 }
      }
    }
    _ = try writer.end()
    _ = try reader.end()
    return [
      Row(measures[0], "%", 100 * Double(seen) / Double(max(asked, 1)), goal: .atLeast(100)),
      Row(measures[1], "µs", Statistics.quantile(requests, 0.5) / 1e3),
      Row(measures[2], "ms", Statistics.quantile(idle, 0.5) / 1e6),
      Row(measures[3], "ms", Statistics.quantile(idle, 0.99) / 1e6, goal: .atMost(50)),
    ]
  }

  /// A second service on the folder, which reads from it.
  private static func second(_ bench: Bench, _ folder: String) throws(BenchError) -> Spawned {
    do throws(BenchError) {
      let reader = try bench.service(folder)
      _ = try reader.request("meals/list", "{\"limit\":1}")
      return reader
    } catch {
      guard error.message.contains("storeInUse") else { throw error }
      throw .unavailable("a second process is refused (storeInUse)")
    }
  }

  /// Adds a meal and returns the revision it made.
  private static func add(_ writer: Spawned) throws(BenchError) -> Int {
    let answer = try writer.request(Bench.addMeal) as? [String: Any]
    guard let revision = answer?["revision"] as? Int else { throw .wrong("“meals/add” tells no revision") }
    return revision
  }
}

extension Spawned {
  /// Waits for a notification about that revision or a later one.
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
