import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// What other devices leave that is damaged, of another time, or not theirs to say.
@Suite("What sync makes of others' mistakes", .processes)
struct SyncTroubleTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  @Test("A lock stays on its device: no settings that arrive, or are deleted elsewhere, change it")
  func locks() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    try await first.call("units", "settings/update", #"{"unitSystem":"imperial"}"#)
    for device in [first, second] { _ = try await device.pass() }
    let settings = try await second.call("get", "settings/get")["settings"]
    #expect(settings?["unitSystem"]?.string == "imperial" && settings?["lockEnabled"]?.boolean == false)
    #expect(settings?["lockAfterMs"]?.integer == 60_000)
    try await second.call("after", "settings/update", #"{"lockAfterMs":5000}"#)
    let token = try await first.call("token", "account/prepareDeletion", #"{"scope":"everything"}"#)["token"]?.text
    try await first.call("account", "account/delete", #"{"token":\#(token ?? "null"),"include":["remote"]}"#)
    _ = try await second.pass()
    let after = try await second.call("get again", "settings/get")["settings"]
    #expect(after?["unitSystem"]?.string == "metric" && after?["lockAfterMs"]?.integer == 5000)
  }

  @Test("A clock that is more than a day ahead is told with the device's name, and its changes arrive")
  func clock() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    let meal =
      #"{"collection":"meals","id":"11111111-1111-4111-8111-111111111111","created":"2199-01-01T00:00:00.000Z","#
      + #""updated":"2199-01-01T00:00:00.000Z","day":"2026-01-05","schema":1,"body":{"#
      + #""id":"11111111-1111-4111-8111-111111111111","day":"2026-01-05","zone":"UTC","name":"Soup","calories":100,"#
      + #""mealType":"meal","createdAt":"2199-01-01T00:00:00.000Z","updatedAt":"2199-01-01T00:00:00.000Z"}}"#
    try await first.call("import", "data/import", #"{"mode":"merge","lines":[\#(meal)]}"#)
    for device in [first, second] { _ = try await device.pass() }
    #expect(try await second.names() == ["Soup"])
    let entries = try await second.call("log", "sync/log")["entries"]?.array ?? []
    #expect(
      entries.contains { $0["severity"]?.string == "warning" && $0["message"]?.string?.contains("“first”") == true })
  }

  @Test("A damaged file of another device is told once it stays so, and is said again when it is deleted")
  func damagedFile() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    _ = try await first.add("Soup")
    _ = try await first.pass()
    let stream = try #require(try await first.status()["device"]?["id"]?.string)
    let folder = devices.shared + "/batches/\(stream)"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).max())
    try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    #expect(try await second.pass()["status"]?["error"] == nil, "it may be on its way")
    let status = try await second.pass()["status"]
    #expect(status?["state"]?.string == "error" && status?["error"]?["cause"]?.string == "damaged")
    #expect(status?["error"]?["message"]?.string?.contains("“first”") == true && status?["lastSyncAt"] == nil)
    second.closeInput()
    _ = try await second.exitStatus()
    let told = try await Program.run(["sync", "--data", devices.data("second")])
    #expect(told.status == .exited(3) && told.output.contains("To mend it, delete that file"), "\(told)")
    try FileManager.default.removeItem(atPath: folder + "/" + name)
    let again = try await devices.serve("second")
    for device in [first, again] { _ = try await device.pass() }
    #expect(try await again.names() == ["Soup"])
    #expect(try await again.status()["state"]?.string == "synced")
  }
}
