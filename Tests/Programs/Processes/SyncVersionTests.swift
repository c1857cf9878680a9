import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Versions of the program that meet in one shared folder, or in one data folder.
@Suite("Newer and older versions in sync", .processes)
struct SyncVersionTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  /// The files of the shared folder with their contents.
  private func shared() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: devices.shared) {
      files[name] = FileManager.default.contents(atPath: "\(devices.shared)/\(name)")
    }
    return files
  }

  enum Newer: CaseIterable { case head, batch, store }

  @Test(
    "What a newer version has left in a form of its own stops an older one, which changes nothing",
    arguments: Newer.allCases)
  func newer(_ what: Newer) async throws {
    let older = try await devices.joined("older")
    let meal =
      #"{"collection":"meals","id":"11111111-1111-4111-8111-111111111111","created":"2026-01-05T12:00:00.000Z","#
      + #""updated":"2026-01-05T12:00:00.000Z","day":"2026-01-05","schema":1,"body":{"#
      + #""id":"11111111-1111-4111-8111-111111111111","day":"2026-01-05","zone":"UTC","name":"Soup","calories":100,"#
      + #""mealType":"meal","createdAt":"2026-01-05T12:00:00.000Z","updatedAt":"2026-01-05T12:00:00.000Z"}}"#
    let newer = ForeignDevice("newer")
    let store = devices.shared + "/store.json"
    let content = try String(contentsOfFile: store, encoding: .utf8)
    switch what {
    case .head: try newer.leave([meal], requires: 2, in: devices.shared)
    case .batch: try newer.leave([meal], batch: 2, in: devices.shared)
    case .store:
      try content.replacing("\"format\":1", with: "\"format\":2").write(
        toFile: store, atomically: true, encoding: .utf8)
    }
    _ = try await older.add("Bread")
    let before = try shared()
    older.request("pass", "sync/now")
    let refusal = try await older.response("pass")["error"]
    #expect(refusal?["data"]?["name"]?.string == "remoteRefused", "\(refusal?.text ?? "")")
    #expect(refusal?["data"]?["cause"]?.string == "newerFormat")
    #expect(refusal?["data"]?["hint"]?.string?.contains("update daybook") == true)
    #expect(try shared() == before)
    #expect(try await older.names() == ["Bread"])
    let status = try await older.status()
    #expect(status["error"]?["retryable"]?.boolean == false && status["pending"]?.integer ?? 0 > 0)
    let doctor = try await Program.run(["doctor", "--data", devices.data("older")])
    #expect(doctor.output.contains("update daybook on this device") && doctor.status == .exited(1), "\(doctor)")
    switch what {
    case .head, .batch: try newer.leave([meal], in: devices.shared)
    case .store: try content.write(toFile: store, atomically: true, encoding: .utf8)
    }
    if what == .batch {
      // The one that was refused is named no longer.
      let folder = "\(devices.shared)/batches/\(newer.stream)"
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
    _ = try await older.pass()
    #expect(try await older.names() == (what == .store ? ["Bread"] : ["Bread", "Soup"]))
  }

  /// The names in `compatible` of the data folder's manifest.
  private func features(_ name: String) throws -> [String] {
    let text = try String(contentsOfFile: devices.data(name) + "/manifest.json", encoding: .utf8)
    let head = try #require(text.split(separator: "\n").first.map(String.init))
    let list = try #require(head.firstRange(of: "\"compatible\":["))
    return head[list.upperBound...].prefix { $0 != "]" }.split(separator: ",").map { String($0.filter { $0 != "\"" }) }
  }

  @Test("Versions without sync may no longer write a folder that takes part, also after a restored backup")
  func olderWriters() async throws {
    let device = try await devices.serve("first")
    _ = try await device.add("Soup")
    let backup = try #require(try await device.call("backup", "backup/create")["id"]?.string)
    try await device.call("join", "sync/configure", #"{"remote":\#(devices.remote()),"create":true}"#)
    #expect(try features("first") == ["sync"])
    _ = try await device.add("Bread")
    device.closeInput()
    _ = try await device.exitStatus()
    let restored = try await Program.run(["restore", backup, "--data", devices.data("first")])
    #expect(restored.status == .exited(0), "\(restored)")
    let again = try await devices.serve("first")
    #expect(try await again.names() == ["Soup"])
    #expect(try features("first") == ["sync"])
    _ = try await again.add("Tea")
    try await again.call("forget", "sync/forget")
    #expect(try await again.names() == ["Soup", "Tea"])
  }
}
