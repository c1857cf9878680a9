import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("Sync of devices that are offline, stopped, copied or busy", .processes)
struct SyncInterruptionTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  @Test("Offline a save is answered and costs no attempt; once the network is back, both sides' changes cross unasked")
  func offline() async throws {
    let (first, second) = (try await devices.joined("first", .init()), try await devices.joined("second"))
    _ = try await first.event("syncStateChanged") { $0["status"]?["state"]?.string == "synced" }
    try await first.call("off", "device/networkChanged", #"{"online":false}"#)
    _ = try await first.add("Porridge")
    #expect(try await first.refusal("pass", "sync/now") == "syncOffline")
    let status = try await first.status()
    #expect(status["state"]?.string == "offline" && status["pending"]?.integer == 1 && status["error"] == nil)
    let rows = try await first.call("queue", "sync/queue")["items"]?.array ?? []
    #expect(rows.map { $0["retryCount"]?.integer } == [0])
    _ = try await second.add("Soup")
    _ = try await second.pass()
    #expect(try await first.names() == ["Porridge"])
    try await first.call("on", "device/networkChanged", #"{"online":true}"#)
    _ = try await first.event("mealsChanged") { $0["origin"]?.string == "sync" }
    // Joins the pass that the network began.
    _ = try await first.pass()
    _ = try await second.pass()
    for device in [first, second] { #expect(try await device.names() == ["Porridge", "Soup"]) }
    try await first.shutDown()
  }

  @Test("A device that is stopped in the middle of a pass holds nobody up, and completes it when it goes on")
  func stopped() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    var names: [String] = []
    func add(_ name: String, on device: Daybook) async throws {
      _ = try await device.add(name)
      names.append(name)
    }
    for round in 0..<5 {
      for number in 0..<10 { try await add("First \(round) \(number)", on: first) }
      first.request("pass \(round)", "sync/now")
      first.process.signal(SIGSTOP)
      try await add("Second \(round)", on: second)
      #expect(try await second.pass()["status"]?["error"] == nil)
      first.process.signal(SIGCONT)
      _ = try await first.result("pass \(round)")
    }
    for device in [first, second, first] { _ = try await device.pass() }
    for device in [first, second] { #expect(try await device.names() == names.sorted()) }
    #expect(try await first.status()["state"]?.string == "synced")
  }

  @Test("A data folder that is copied while in use is a device of its own: both go on, and hold the same")
  func copied() async throws {
    let first = try await devices.joined("first")
    _ = try await first.add("Porridge")
    _ = try await first.pass()
    _ = try await first.add("Soup")
    try FileManager.default.copyItem(atPath: devices.data("first"), toPath: devices.data("copy"))
    let copy = try await devices.serve("copy")
    _ = try await first.add("Stew")
    _ = try await copy.add("Bread")
    for device in [first, copy, first, copy] { _ = try await device.pass() }
    for device in [first, copy] {
      #expect(try await device.names() == ["Bread", "Porridge", "Soup", "Stew"])
      #expect(try await device.status()["state"]?.string == "synced")
    }
    let ids = try [await first.status(), await copy.status()].compactMap { $0["device"]?["id"]?.string }
    #expect(Set(ids).count == 2)
  }

  @Test("Edits and reads while passes run are answered; the last edit arrives, and nobody is asked")
  func busy() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    let soup = try await first.add("Soup")
    for device in [first, second, first] { _ = try await device.pass() }
    for number in 1...40 {
      if number % 4 == 1 { for device in [first, second] { device.request("pass \(number)", "sync/now") } }
      first.request("edit \(number)", "meals/update", #"{"id":"\#(soup)","name":"Soup \#(number)"}"#)
      second.request("read \(number)", "meals/list")
    }
    for number in 1...40 {
      #expect(try await first.result("edit \(number)")["meal"]?["name"]?.string == "Soup \(number)")
      #expect(try await second.result("read \(number)")["meals"]?.array.count == 1)
      guard number % 4 == 1 else { continue }
      for device in [first, second] { _ = try await device.result("pass \(number)") }
    }
    for device in [first, second] { _ = try await device.pass() }
    for device in [first, second] {
      #expect(try await device.names() == ["Soup 40"])
      #expect(try await device.call("conflicts", "sync/conflicts")["conflicts"]?.array.isEmpty == true)
    }
  }

  @Test("A link to the data folder, or to a folder in it, is no remote")
  func links() async throws {
    let device = try await devices.serve("first")
    for (name, target) in [("to", ""), ("into", "/inner")] {
      let (link, path) = (devices.folder.path + "/" + name, devices.data("first") + target)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let params = #"{"remote":\#(devices.remote(link)),"create":true}"#
      #expect(try await device.refusal(name, "sync/configure", params) == "invalidParams")
      let found = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(!found.contains("heads") && (target.isEmpty || found.isEmpty))
    }
  }
}
