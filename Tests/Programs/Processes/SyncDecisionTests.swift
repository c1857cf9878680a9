import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("What sync leaves to the user", .processes)
struct SyncDecisionTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  @Test("A pull that deletes a third waits for the user, over a restart", arguments: ["apply", "restore"])
  func failsafe(_ answer: String) async throws {
    let first = try await devices.joined("first")
    var second = try await devices.joined("second")
    var ids: [String] = []
    for number in 0..<90 { ids.append(try await first.add("Meal \(number)")) }
    _ = try await first.pass()
    _ = try await second.pass()
    for id in ids.prefix(30) { try await first.call("delete \(id)", "meals/delete", #"{"id":"\#(id)"}"#) }
    _ = try await first.pass()
    let waiting = try await second.pass()["status"]
    #expect(waiting?["state"]?.string == "needsAttention" && waiting?["waitingDeletions"]?.integer == 30)
    #expect(try await second.names().count == 90)
    second.closeInput()
    #expect(try await second.exitStatus() == .exited(0))
    second = try await devices.serve("second")
    let status = try await second.call("confirm", "sync/confirm", #"{"deletions":"\#(answer)"}"#)
    let backups = try await second.call("backups", "backup/list")["backups"]?.array ?? []
    #expect(backups.count { $0["reason"]?.string == "beforeSync" } == (answer == "apply" ? 1 : 0))
    #expect(status["waitingDeletions"]?.integer == 0 && status["attention"]?.array.isEmpty == true)
    #expect(try await second.refusal("again", "sync/confirm", #"{"deletions":"apply"}"#) == "nothingToDecide")
    for device in [second, first, second] { _ = try await device.pass() }
    for device in [first, second] { #expect(try await device.names().count == (answer == "apply" ? 60 : 90)) }
  }

  /// A first device that has gone back to two meals, of which the second has since deleted one and renamed the other.
  private func setBack(_ way: String) async throws -> (Daybook, Daybook) {
    var first = try await devices.joined("first")
    let second = try await devices.joined("second")
    let (porridge, soup) = (try await first.add("Porridge"), try await first.add("Soup"))
    for device in [first, second] { _ = try await device.pass() }
    let lines = try await first.call("export", "data/export")["lines"]?.text
    let backup = try await first.call("backup", "backup/create")["id"]?.string
    try await second.rename(soup, "Lentil soup")
    try await second.call("delete", "meals/delete", #"{"id":"\#(porridge)"}"#)
    _ = try await second.add("Bread")
    for device in [second, first] { _ = try await device.pass() }
    #expect(try await first.names() == ["Bread", "Lentil soup"])
    if way == "import" {
      let lines = try #require(lines)
      try await first.call("import", "data/import", #"{"mode":"replace","lines":\#(lines)}"#)
    } else {
      let backup = try #require(backup)
      try await first.call("restore", "backup/restore", #"{"id":"\#(backup)"}"#)
    }
    first.closeInput()
    _ = try await first.exitStatus()
    first = try await devices.serve("first")
    return (first, second)
  }

  @Test(
    "After a restored backup or a replacing import no pass runs until the user says which state stays",
    arguments: ["restore", "import"], ["remote", "local"])
  func keep(_ way: String, _ side: String) async throws {
    let (first, second) = try await setBack(way)
    #expect(try await first.names() == ["Porridge", "Soup"])
    let status = try await first.status()
    #expect(status["state"]?.string == "needsAttention" && status["attention"]?.array.map(\.string) == ["keep"])
    #expect(try await first.refusal("pass", "sync/now") == "syncPaused")
    #expect(try await first.refusal("which", "sync/resume") == "invalidParams")
    let answered = try await first.call("resume", "sync/resume", #"{"keep":"\#(side)"}"#)
    #expect(answered["attention"]?.array.isEmpty == true)
    #expect(try await first.refusal("again", "sync/resume", #"{"keep":"local"}"#) == "nothingToDecide")
    for device in [first, second, first] { _ = try await device.pass() }
    let names = side == "remote" ? ["Bread", "Lentil soup"] : ["Porridge", "Soup"]
    for device in [first, second] { #expect(try await device.names() == names) }
    #expect(try await first.status()["state"]?.string == "synced")
    #expect(try await second.call("conflicts", "sync/conflicts")["conflicts"]?.array.isEmpty == true)
  }

  @Test(
    "A replacing import that is undone before the question is answered, and done again, deletes nothing elsewhere",
    arguments: [1, 2], ["remote", "local"])
  func undoneImport(_ undos: Int, _ side: String) async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    for name in ["Bread", "Soup"] { _ = try await second.add(name) }
    let all = try #require(try await second.call("export", "data/export")["lines"]?.text)
    // The first knows nothing of them yet, and has one of its own.
    let porridge = try await first.add("Porridge")
    _ = try await first.pass()
    try await first.call("import", "data/import", #"{"mode":"replace","lines":\#(all)}"#)
    #expect(try await first.names() == ["Bread", "Soup"])
    _ = try await second.pass()
    try await second.rename(porridge, "Oats")
    _ = try await second.pass()
    for _ in 0..<undos {
      let latest = try await first.call("since \(UUID())", "changes/since", #"{"revision":0}"#)["revision"]?.integer
      try await first.call("undo \(UUID())", "changes/undo", #"{"revision":\#(latest ?? 0)}"#)
    }
    #expect(try await first.names() == (undos == 1 ? ["Porridge"] : ["Bread", "Soup"]))
    #expect(try await first.status()["attention"]?.array.map(\.string) == ["keep"])
    try await first.call("resume", "sync/resume", #"{"keep":"\#(side)"}"#)
    for device in [first, second, first] { _ = try await device.pass() }
    let local = undos == 1 ? ["Porridge"] : ["Bread", "Soup"]
    let names = side == "remote" ? ["Bread", "Oats", "Soup"] : local
    for device in [first, second] { #expect(try await device.names() == names) }
  }

  @Test("A device that is removed is waited for no longer, and comes back when it leaves something again")
  func removedDevice() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    _ = try await second.add("Porridge")
    for device in [second, first] { _ = try await device.pass() }
    func other() async throws -> JSONValue? {
      try await first.call("list \(UUID())", "sync/devices")["devices"]?.array.last
    }
    let id = try #require(try await other()?["id"]?.string)
    let files = try FileManager.default.contentsOfDirectory(atPath: devices.shared + "/batches/\(id)")
    try await first.call("remove", "sync/removeDevice", #"{"deviceId":"\#(id)"}"#)
    #expect(try await other()?["removed"]?.boolean == true)
    _ = try await first.pass()
    #expect(try await other()?["removed"]?.boolean == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: devices.shared + "/batches/\(id)") == files)
    _ = try await second.add("Soup")
    for device in [second, first] { _ = try await device.pass() }
    #expect(try await other()?["removed"]?.boolean == false)
    #expect(try await first.names() == ["Porridge", "Soup"])
    let own = try #require(try await first.status()["device"]?["id"]?.string)
    #expect(try await first.refusal("own", "sync/removeDevice", #"{"deviceId":"\#(own)"}"#) == "notFound")
  }

  @Test("Deleting everything leaves the other devices alone, unless they are meant too", arguments: [false, true])
  func deletedAccount(_ everywhere: Bool) async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    let soup = try await first.add("Soup")
    _ = try await first.add("Bread")
    for device in [first, second] { _ = try await device.pass() }
    try await first.call("delete", "meals/delete", #"{"id":"\#(soup)"}"#)
    let token = try await first.call("token", "account/prepareDeletion", #"{"scope":"everything"}"#)["token"]?.text
    let include = everywhere ? #","include":["remote"]"# : ""
    let result = try await first.call("account", "account/delete", #"{"token":\#(token ?? "null")\#(include)}"#)
    #expect(result["records"]?.integer == 1 && result["unsentDeletions"]?.integer == (everywhere ? 0 : 1))
    #expect(try await first.status()["needs"]?.array.contains(.string("remote")) == true)
    #expect(try await first.names().isEmpty)
    _ = try await second.pass()
    #expect(try await second.names() == (everywhere ? [] : ["Bread", "Soup"]))
  }
}
