import CivilTime
import Foundation
import Spawning

/// The SQLite reference via python3: WAL, synchronous=FULL, a table with an index on the day. Python measures around
/// each call, which adds a microsecond per statement or row.
package final class SQLiteAnchor {
  private let helper: Spawned
  /// Such as `SQLite 3.40.1, Python 3.11.2`.
  private(set) var version = ""

  /// Starts python3; throws `unavailable` without it or its module `sqlite3`.
  init() throws(BenchError) {
    do throws(BenchError) {
      // Inserting a million records takes seconds.
      helper = try Spawned(
        "SQLite's helper", ["python3", "-c", SQLiteScript.text], framing: .newline, patience: 600)
      let answer = try ask(["do": "hello"])
      version = "SQLite \(answer["sqlite"] ?? "?"), Python \(answer["python"] ?? "?")"
    } catch { throw .unavailable("there is no python3 with the module sqlite3: \(error.message)") }
  }

  // MARK: operations

  /// Inserts one row per commit with bodies of `bytes` bytes, for `milliseconds`.
  func singleWrites(_ database: String, bytes: Int, milliseconds: Int) throws(BenchError) -> Load {
    let answer = try ask([
      "do": "commits", "database": database, "bytes": bytes, "milliseconds": milliseconds,
    ])
    var load = Load()
    load.latencies = (answer["latencies"] as? [NSNumber] ?? []).map(\.uint64Value)
    load.count = load.latencies.count
    load.time = (answer["time"] as? NSNumber)?.uint64Value ?? 0
    return load
  }

  /// Loads the rows of an export into memory, so that `insertLoaded` measures only inserts; returns their number.
  func load(_ export: String) throws(BenchError) -> Int {
    try number(ask(["do": "load", "export": export]), "count")
  }

  /// Inserts the loaded rows into a new database in one transaction; returns nanoseconds and the file size.
  func insertLoaded(_ database: String) throws(BenchError) -> (time: Double, bytes: Int) {
    let answer = try ask(["do": "insert", "database": database])
    return (Double(try number(answer, "time")), try number(answer, "bytes"))
  }

  /// Creates a database from an export; returns the number of rows.
  func build(_ database: String, from export: String) throws(BenchError) -> Int {
    try number(ask(["do": "build", "database": database, "export": export]), "count")
  }

  /// Queries one month of meals, on a new connection and then warm; returns nanoseconds.
  package func month(
    _ database: String, _ days: ClosedRange<CivilDay>, warm: Int
  ) throws(BenchError) -> (count: Int, cold: UInt64, warm: [UInt64]) {
    let answer = try ask([
      "do": "month", "database": database, "from": "\(days.lowerBound)", "to": "\(days.upperBound)", "warm": warm,
    ])
    let times = (answer["warm"] as? [NSNumber] ?? []).map(\.uint64Value)
    return (try number(answer, "count"), UInt64(try number(answer, "cold")), times)
  }

  /// Reads all bodies into Python strings, and sums them inside SQLite; returns nanoseconds.
  func readAll(
    _ database: String
  ) throws(BenchError) -> (time: Double, inside: Double, count: Int, bytes: Int) {
    let answer = try ask(["do": "read_all", "database": database])
    return (
      Double(try number(answer, "time")), Double(try number(answer, "inside")),
      try number(answer, "count"), try number(answer, "bytes")
    )
  }

  // MARK: protocol

  private func number(_ answer: [String: Any], _ name: String) throws(BenchError) -> Int {
    guard let number = answer[name] as? Int else { throw .wrong("SQLite's helper returns no \(name): \(answer)") }
    return number
  }

  private func ask(_ command: [String: Any]) throws(BenchError) -> [String: Any] {
    guard let line = try? JSONSerialization.data(withJSONObject: command) else { throw .wrong("no JSON: \(command)") }
    helper.stillAlive()
    try helper.send(Array(line) + [UInt8(ascii: "\n")])
    let body = try helper.receive()
    guard let answer = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] else {
      throw .wrong("SQLite's helper sent no JSON object: \(String(decoding: body.prefix(200), as: UTF8.self))")
    }
    if let error = answer["error"] { throw .wrong("SQLite's helper: \(error)") }
    return answer
  }
}
