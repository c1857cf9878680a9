import CivilTime
import Foundation
import Spawning

/// SQLite by way of python3's module: WAL, synchronous=FULL, a table with an index on the day. The times are taken in
/// Python around each call, so that its own share is a microsecond a statement or row.
package final class SQLiteAnchor {
  private let helper: Spawned
  /// Such as `SQLite 3.40.1, Python 3.11.2`.
  private(set) var version = ""

  /// Starts python3; throws `unavailable` where there is none, or one without the module.
  init() throws(BenchError) {
    do throws(BenchError) {
      // A million records are inserted in some seconds.
      helper = try Spawned(
        "SQLite's helper", ["python3", "-c", SQLiteScript.text], framing: .newline, patience: 600)
      let answer = try ask(["do": "hello"])
      version = "SQLite \(answer["sqlite"] ?? "?"), Python \(answer["python"] ?? "?")"
    } catch { throw .unavailable("there is no python3 with the module sqlite3: \(error.message)") }
  }

  // MARK: what it does

  /// Inserts one row a commit, for so many milliseconds, with bodies of so many bytes.
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

  /// Reads the rows of an export into memory, so that inserting them measures nothing else; returns their number.
  func load(_ export: String) throws(BenchError) -> Int {
    try number(ask(["do": "load", "export": export]), "count")
  }

  /// Inserts them into a new database in one transaction; nanoseconds, and the file's bytes.
  func insertLoaded(_ database: String) throws(BenchError) -> (time: Double, bytes: Int) {
    let answer = try ask(["do": "insert", "database": database])
    return (Double(try number(answer, "time")), try number(answer, "bytes"))
  }

  /// Makes a database of an export; returns the number of rows.
  func build(_ database: String, from export: String) throws(BenchError) -> Int {
    try number(ask(["do": "build", "database": database, "export": export]), "count")
  }

  /// One month of meals by the first query of a connection, and by the ones after it; nanoseconds.
  package func month(
    _ database: String, _ days: ClosedRange<CivilDay>, warm: Int
  ) throws(BenchError) -> (count: Int, cold: UInt64, warm: [UInt64]) {
    let answer = try ask([
      "do": "month", "database": database, "from": "\(days.lowerBound)", "to": "\(days.upperBound)", "warm": warm,
    ])
    let times = (answer["warm"] as? [NSNumber] ?? []).map(\.uint64Value)
    return (try number(answer, "count"), UInt64(try number(answer, "cold")), times)
  }

  /// All bodies, each a string in Python, or all of them inside of SQLite; nanoseconds.
  func readAll(
    _ database: String
  ) throws(BenchError) -> (time: Double, inside: Double, count: Int, bytes: Int) {
    let answer = try ask(["do": "read_all", "database": database])
    return (
      Double(try number(answer, "time")), Double(try number(answer, "inside")),
      try number(answer, "count"), try number(answer, "bytes")
    )
  }

  // MARK: talking

  private func number(_ answer: [String: Any], _ name: String) throws(BenchError) -> Int {
    guard let number = answer[name] as? Int else { throw .wrong("SQLite's helper tells no \(name): \(answer)") }
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
