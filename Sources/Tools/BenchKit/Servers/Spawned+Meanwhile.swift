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
    var others: [UInt64] = []
    repeat {
      let other = takeIDs(1)
      let sent = Clocks.now()
      try send(Request("session/get").frame(other))
      var id: Int?
      repeat {
        let body = try receive()
        let message = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
        id = message?["id"] as? Int
        guard id == first else { continue }
        time = Clocks.now() - start
        try Bench.expect(
          message?["result"] != nil,
          "\(request.method) is refused: \(String(decoding: body.prefix(500), as: UTF8.self))")
      } while id != other
      others.append(Clocks.now() - sent)
    } while time == nil
    return Meanwhile(time: time ?? 0, others: others)
  }

  /// Waits until the launch is over.
  package func waitForLaunch() throws(BenchError) {
    var report: [String: Any]?
    repeat { report = try request("startup/report") as? [String: Any] } while report?["state"] as? String != "ready"
  }
}
