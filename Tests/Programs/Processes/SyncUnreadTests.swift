import Foundation
import JSON
import Pacing
import ProcessTesting
import Testing

/// What a later version has left, of which this one cannot read a part.
@Suite("Records that arrive and cannot be read", .processes)
struct SyncUnreadTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  /// The lines of another device, edited as a later version might have written them.
  private func lines() async throws -> [String] {
    let source = try await devices.serve("source")
    _ = try await source.add("Soup")
    _ = try await source.add("Bread")
    for name in ["Read", "Run"] { try await source.call("habit \(name)", "habits/add", #"{"name":"\#(name)"}"#) }
    try await source.call("settings", "settings/update", #"{"unitSystem":"imperial","firstWeekday":"sunday"}"#)
    try await source.call("training", "trainingSettings/update", #"{"restSeconds":60}"#)
    try await source.call("day", "days/updateEntry", #"{"day":"2026-01-05","fasted":true}"#)
    let export = try await source.call("export", "data/export")
    var lines: [String] = []
    for line in export["lines"]?.array ?? [] {
      guard case .object(var line) = line, case .object(var body)? = line["body"] else { continue }
      switch (line["collection"]?.string, body["name"]?.string) {
      case ("meals", "Soup"): body["calories"] = .string("x")
      case ("habits", "Read"): body["schedule"] = .object(JSONObject([("kind", .string("lunar"))]))
      case ("habits", _): body["schedule"] = .object(JSONObject([("kind", .number(JSONNumber(3)))]))
      case ("settings", _): body["unitSystem"] = .number(JSONNumber(7))
      case ("trainingSettings", _): body["weightUnit"] = .bool(true)
      case ("days", _): body["fasted"] = .string("maybe")
      case ("meals", _), ("habitCategories", _): break
      default: continue
      }
      line["body"] = .object(body)
      lines.append(JSONValue.object(line).text)
    }
    let unknown =
      #"{"collection":"horoscopes","id":"11111111-1111-4111-8111-111111111111","created":"2026-01-05T12:00:00.000Z","#
      + #""updated":"2026-01-05T12:00:00.000Z","schema":1,"body":{"sign":"lion"}}"#
    return lines + [unknown]
  }

  /// The requests that read, and need nothing to be named.
  private func reads() throws -> [String] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Protocol")
    let domains = folder.appendingPathComponent("domains")
    var methods = ["meals/list", "habitLogs/list", "waterEntries/list"]
    for name in try FileManager.default.contentsOfDirectory(atPath: domains.path) {
      let file = try Data(contentsOf: domains.appendingPathComponent(name))
      for request in try JSONValue(json: [UInt8](file))["requests"]?.array ?? [] {
        guard let method = request["method"]?.string, request["effect"]?.string == "read", !method.hasPrefix("debug/"),
          (request["params"]?.array ?? []).allSatisfy({ $0["optional"]?.boolean == true })
        else { continue }
        methods.append(method)
      }
    }
    return methods
  }

  @Test("They are left out of all reads and travel on whole; settings are read and edited member by member")
  func unread() async throws {
    let older = try await devices.joined("older")
    try ForeignDevice("newer").leave(try await lines(), in: devices.shared)
    let pass = try await older.pass()
    #expect(pass["status"]?["error"] == nil && pass["pass"]?["received"]?.integer ?? 0 >= 6, "\(pass.text)")
    #expect(try await older.names() == ["Bread"])
    let habits = try await older.call("habits", "habits/list")["habits"]?.array ?? []
    #expect(habits.compactMap { $0["habit"]?["name"]?.string ?? $0["name"]?.string } == ["Read"])
    let unreadable = ["storeUnavailable", "internalError"]
    for method in try reads() {
      older.request("read \(method)", method)
      let answer = try await older.response("read \(method)")
      #expect(!unreadable.contains(answer.errorName ?? ""), "\(method): \(answer.text)")
    }
    let settings = try await older.call("get", "settings/get")["settings"]
    #expect(settings?["unitSystem"]?.string == "metric" && settings?["firstWeekday"]?.string == "sunday")
    try await older.call("edit", "settings/update", #"{"age":50}"#)
    let training = try await older.call("training", "trainingSettings/get")["trainingSettings"]
    #expect(training?["restSeconds"]?.integer == 60 && training?["weightUnit"]?.string == "kg")
    try await older.call("edit training", "trainingSettings/update", #"{"distanceUnit":"mi"}"#)
    try await older.call("note", "days/updateEntry", #"{"day":"2026-01-05","note":"rain"}"#)
    let day = try await older.call("day", "days/get", #"{"day":"2026-01-05"}"#)
    #expect(day.text.contains("\"note\":\"rain\"") && !day.text.contains("maybe"), "\(day.text)")
    let entries = try await older.call("log", "sync/log")["entries"]?.array ?? []
    let warnings = entries.filter { $0["severity"]?.string == "warning" }.compactMap { $0["message"]?.string }
    #expect(warnings.count == 5 && warnings.contains { $0.contains("“meals”") }, "\(warnings)")
    let status = try await older.pass()["status"]
    #expect(status?["state"]?.string == "synced" && status?["error"] == nil)
    try await checkBatches(of: older)
    older.closeInput()
    _ = try await older.exitStatus()
    let again = try await devices.serve("older")
    #expect(try await again.names() == ["Bread"])
    #expect(try await again.call("get", "settings/get")["settings"]?["age"]?.integer == 50)
  }

  /// Says everything once more: the lines that were not understood are among it as they came.
  private func checkBatches(of device: Daybook) async throws {
    try await device.call("forget", "sync/forget")
    try await device.call("join again", "sync/configure", #"{"remote":\#(devices.remote())}"#)
    _ = try await device.pass()
    let stream = try #require(try await device.status()["device"]?["id"]?.string)
    let folder = devices.shared + "/batches/\(stream)"
    let said = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
    }.joined()
    for text in [
      #""calories":"x""#, #"{"kind":3}"#, #"{"kind":"lunar"}"#, #""sign":"lion""#, #""unitSystem":7"#,
      #""weightUnit":true"#,
    ] {
      #expect(said.contains(text), "\(text)")
    }
    #expect(said.contains(#""age":50"#))
  }
}
