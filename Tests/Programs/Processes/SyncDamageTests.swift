import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Files of the shared folder that are not as their device left them.
@Suite("Damage in the shared folder", .processes)
struct SyncDamageTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  private func batches(_ stream: String) throws -> [String] {
    let folder = devices.shared + "/batches/\(stream)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
  }

  private func stream(_ device: Daybook) async throws -> String {
    try #require(try await device.status()["device"]?["id"]?.string)
  }

  @Test(
    "An own batch that was cut or changed is noticed by its device, which says everything again",
    arguments: [true, false])
  func ownBatch(_ isCut: Bool) async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    _ = try await first.add("Soup")
    _ = try await first.pass()
    let before = try await stream(first)
    for batch in try batches(before) {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: batch))
      if isCut { bytes.removeLast(5) } else { bytes[bytes.count / 2] ^= 1 }
      try bytes.write(to: URL(fileURLWithPath: batch))
    }
    _ = try await second.pass()
    #expect(try await second.names() == [])
    _ = try await first.pass()
    #expect(try await stream(first) != before)
    _ = try await second.pass()
    #expect(try await second.names() == ["Soup"])
    #expect(try await second.status()["error"] == nil)
  }

  enum Thing: String, CaseIterable { case folder, pipe }

  /// Replaces a file by something that is none.
  private func replace(_ path: String, by thing: Thing) throws {
    try FileManager.default.removeItem(atPath: path)
    switch thing {
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .pipe: try #require(mkfifo(path, 0o600) == 0)
    }
  }

  @Test("A folder or a pipe that has the name of a head is a damaged head of its device", arguments: Thing.allCases)
  func oddHead(_ thing: Thing) async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    _ = try await first.add("Soup")
    for device in [first, second] { _ = try await device.pass() }
    let before = try await stream(first)
    let head = devices.shared + "/heads/\(before).json"
    try replace(head, by: thing)
    #expect(try await second.pass()["status"]?["error"] == nil, "it may be on its way")
    let status = try await second.pass()["status"]
    #expect(status?["error"]?["cause"]?.string == "damaged", "\(status?.text ?? "")")
    #expect(status?["error"]?["message"]?.string?.contains("“first”") == true, "\(status?.text ?? "")")
    #expect(status?["error"]?["hint"]?.string?.contains("delete that file") == true)
    let known = try await second.call("devices", "sync/devices")["devices"]?.array ?? []
    #expect(known.compactMap { $0["name"]?.string } == ["second", "first"])
    let doctor = try await Program.run(["doctor", "--data", devices.data("second")])
    #expect(doctor.output.contains("A file of “first” is damaged: heads/"), "\(doctor)")
    let own = try await Program.run(["doctor", "--data", devices.data("first")])
    #expect(own.output.contains("has 1 problem;") && own.output.contains("as this device has left it"), "\(own)")
    // Its own device leaves the stream.
    _ = try await first.add("Bread")
    _ = try await first.pass()
    #expect(try await stream(first) != before)
    _ = try await second.pass()
    #expect(try await second.names() == ["Bread", "Soup"])
    #expect(try await second.status()["error"] == nil)
  }

  @Test("The doctor reads the whole folder, names what is wrong with each device, and writes nothing")
  func doctor() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    _ = try await first.add("Soup")
    for device in [first, second, first] { _ = try await device.pass() }
    let name = try await stream(first)
    for device in [first, second] {
      device.closeInput()
      _ = try await device.exitStatus()
    }
    func look() async throws -> (isFine: Bool, text: String) {
      let found = try await Program.run(["doctor", "--data", devices.data("second")])
      return (found.status == .exited(0), found.output.split { $0.isWhitespace }.joined(separator: " "))
    }
    let fine = try await look()
    #expect(fine.text.contains("\(devices.shared) is in order: 2 devices"), "\(fine)")
    #expect(fine.isFine)
    let batch = try batches(name)[0]
    let bytes = try Data(contentsOf: URL(fileURLWithPath: batch))
    try Data(bytes.dropLast(9)).write(to: URL(fileURLWithPath: batch))
    let damaged = try await look()
    #expect(
      damaged.text.contains("A file of “first” is damaged: batches/") && !damaged.isFine, "\(damaged)")
    let json = try JSONValue(
      json: Array(try await Program.run(["doctor", "--json", "--data", devices.data("second")]).output.utf8))
    #expect(json["remote"]?["problems"]?.array.count == 1 && json["remote"]?["devices"]?.integer == 2)
    try FileManager.default.removeItem(atPath: batch)
    #expect(try await look().text.contains("A file of “first” has not arrived: batches/"))
    try bytes.write(to: URL(fileURLWithPath: batch))
    try FileManager.default.moveItem(
      atPath: devices.shared + "/store.json", toPath: devices.folder.path + "/moved.json")
    #expect(try await look().text.contains("has no “store.json”"))
    try FileManager.default.removeItem(atPath: devices.shared)
    #expect(try await look().text.contains("is not there"))
    #expect(!FileManager.default.fileExists(atPath: devices.shared))
  }
}
