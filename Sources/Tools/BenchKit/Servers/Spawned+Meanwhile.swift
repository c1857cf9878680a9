import Foundation

extension Spawned {
  /// What a request took, and what others took that were made meanwhile, nanoseconds.
  package struct Meanwhile {
    package let time: UInt64
    /// Never empty.
    package let others: [UInt64]
  }

  /// Makes a request, and asks for the session again and again, one at a time, until it is answered.
  package func meanwhile(_ request: Request) throws(BenchError) -> Meanwhile {
    stillAlive()
    let first = takeIDs(1)
    let start = Clocks.now()
    try send(request.frame(first))
    var time: UInt64?
    var answer: [UInt8] = []
    var others: [UInt64] = []
    repeat {
      // However little of the processor these leave to the work, they are answered.
      stillAlive()
      let other = takeIDs(1)
      let sent = Clocks.now()
      try send(Request("session/get").frame(other))
      var isAnswered = false
      repeat {
        // Reading the large answer as JSON takes longer than what is measured: its number stands at the front.
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

  /// Waits until the launch is over.
  package func waitForLaunch() throws(BenchError) {
    var report: [String: Any]?
    repeat { report = try request("startup/report") as? [String: Any] } while report?["state"] as? String != "ready"
  }
}
