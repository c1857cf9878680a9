import Foundation

/// The result of sending requests for some time.
package struct Load {
  /// The number of answered requests.
  package var count = 0
  /// The total time, in nanoseconds.
  var time: UInt64 = 0
  /// CPU time of the server, in nanoseconds.
  var serverCPU: UInt64 = 0
  /// CPU time of this process, in nanoseconds.
  var clientCPU: UInt64 = 0
  /// The latency of each request in nanoseconds, only for sequential requests.
  package var latencies: [UInt64] = []

  var perSecond: Double { time == 0 ? 0 : Double(count) * 1e9 / Double(time) }
  /// CPU time of the server per request, in nanoseconds.
  var cpuEach: Double { count == 0 ? 0 : Double(serverCPU) / Double(count) }

  /// The share of the time in which neither process ran on their common CPU, so that others had it.
  var disturbance: Double {
    time == 0 ? 0 : max(0, 1 - Double(serverCPU + clientCPU) / Double(time))
  }
}

extension Spawned {
  /// Sends requests one after the other, for `milliseconds` or up to `limit`.
  @discardableResult
  package func sequence(_ request: Request, milliseconds: Int = .max, limit: Int = .max) throws(BenchError) -> Load {
    stillAlive()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(request.count)
    var load = Load()
    load.latencies.reserveCapacity(min(limit, 1 << 17))
    try measure(&load) { load throws(BenchError) in
      let end = Spawned.end(after: milliseconds)
      var now = Clocks.now()
      while now < end, load.count < limit {
        bytes.removeAll(keepingCapacity: true)
        let id = reserveIDs(1)
        request.append(id, to: &bytes)
        let start = Clocks.now()
        try send(bytes)
        try answer(to: id)
        now = Clocks.now()
        load.latencies.append(now - start)
        load.count += 1
      }
    }
    return load
  }

  /// Keeps `window` requests in flight, for `milliseconds` or up to `limit`.
  @discardableResult
  package func pipeline(
    _ request: Request, window: Int, milliseconds: Int = .max, limit: Int = .max
  ) throws(BenchError) -> Load {
    stillAlive()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(request.count * window)
    var load = Load()
    try measure(&load) { load throws(BenchError) in
      let end = Spawned.end(after: milliseconds)
      let first = lastID + 1
      var sent = 0
      var wanted = window
      repeat {
        // All requests that fit into the window go in one write.
        wanted = Clocks.now() < end ? min(limit - sent, window - (sent - load.count)) : 0
        if wanted > 0 {
          bytes.removeAll(keepingCapacity: true)
          let id = reserveIDs(wanted)
          for offset in 0..<wanted { request.append(id + offset, to: &bytes) }
          try send(bytes)
          sent += wanted
        }
        if load.count < sent {
          repeat {
            try answer(to: first + load.count)
            load.count += 1
          } while load.count < sent && hasMessage
        }
      } while load.count < sent || (Clocks.now() < end && sent < limit)
    }
    return load
  }

  private func measure(
    _ load: inout Load, _ body: (inout Load) throws(BenchError) -> Void
  ) throws(BenchError) {
    let (cpu, own, start) = (cpu, Clocks.ownCPU(), Clocks.now())
    try body(&load)
    load.time = Clocks.now() - start
    load.clientCPU = Clocks.ownCPU() - own
    load.serverCPU = self.cpu - cpu
  }

  private static func end(after milliseconds: Int) -> UInt64 {
    milliseconds == .max ? .max : Clocks.now() + UInt64(milliseconds) * 1_000_000
  }

  private static let beginning: StaticString = "{\"jsonrpc\":\"2.0\",\"id\":"
  private static let result: StaticString = ",\"result\":"
  static let notification: StaticString = "{\"jsonrpc\":\"2.0\",\"method\":"

  /// Waits for the next response, which must be a result for request `id`; skips notifications.
  private func answer(to id: Int) throws(BenchError) {
    while true {
      let body = try receive()
      if Spawned.isResult(body, id) { return }
      // A cheap check, so that client time is not taken for server time.
      if Spawned.begins(body, with: Spawned.notification) { continue }
      // Any other line is parsed.
      guard let message = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any],
        message["id"] == nil, message["method"] != nil
      else {
        let text = String(decoding: body.prefix(500), as: UTF8.self)
        throw .wrong("\(name) should have answered request \(id), but sent \(text)")
      }
    }
  }

  static func begins(_ body: UnsafeRawBufferPointer, with text: StaticString) -> Bool {
    guard body.count >= text.utf8CodeUnitCount, let base = body.baseAddress else { return false }
    return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  static func isResult(_ body: UnsafeRawBufferPointer, _ id: Int) -> Bool {
    let (first, second) = (beginning.utf8CodeUnitCount, result.utf8CodeUnitCount)
    guard body.count > first + 9 + second, let base = body.baseAddress, begins(body, with: beginning),
      memcmp(base + first + 9, result.utf8Start, second) == 0
    else { return false }
    var number = 0
    for digit in body[first..<first + 9] { number = number * 10 + Int(digit &- UInt8(ascii: "0")) }
    return number == id
  }
}
