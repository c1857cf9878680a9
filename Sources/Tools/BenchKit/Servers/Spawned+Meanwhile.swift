import Foundation

extension Spawned {
  /// The duration of a request, and of other requests during it, in nanoseconds.
  package struct Meanwhile {
    package let time: UInt64
    /// Never empty.
    package let others: [UInt64]
  }

  /// Sends a request, and sequential `session/get` requests until it is answered.
  package func meanwhile(_ request: Request) throws(BenchError) -> Meanwhile {
    stillAlive()
    let first = reserveIDs(1)
    let start = Clocks.now()
    try send(request.frame(first))
    var time: UInt64?
    var answer: [UInt8] = []
    var others: [UInt64] = []
    repeat {
      // These are answered, however little CPU time they leave to the work.
      stillAlive()
      let other = reserveIDs(1)
      let sent = Clocks.now()
      try send(Request("session/get").frame(other))
      var isAnswered = false
      repeat {
        // Parsing the large response would take longer than the measured request; its id is at the front.
        let body = try receive()
        isAnswered = Spawned.isResult(body, other)
        if isAnswered || Spawned.begins(body, with: Spawned.notification) { continue }
        time = Clocks.now() - start
        answer = Array(body)
      } while !isAnswered
      others.append(Clocks.now() - sent)
    } while time == nil
    let message = (try? JSONSerialization.jsonObject(with: Data(answer))) as? [String: Any]
    try Bench.expect(
      message?["result"] != nil,
      "\(request.method) is refused: \(String(decoding: answer.prefix(500), as: UTF8.self))")
    return Meanwhile(time: time ?? 0, others: others)
  }

  /// Waits for the end of the launch.
  package func waitForLaunch() throws(BenchError) {
    var report: [String: Any]?
    repeat { report = try request("startup/report") as? [String: Any] } while report?["state"] as? String != "ready"
  }
}
