import CivilTime
import Foundation
import JSON
import Platform
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

/// Data folders written by earlier versions: this version gives the same answers for ever, except for renamed
/// members. `answers.json` has the requests and answers. After an intended change, `GOLDEN_REWRITE=1` writes it
/// again: review the difference.
@Suite("Data folders of earlier versions")
struct GoldenFolderTests {
  private static let folders = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/Folders")
  private static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folders.path))?.filter { !$0.hasPrefix(".") }.sorted() ?? []

  /// Sets the modes of a data folder, which a checkout does not keep.
  private static func makePrivate(_ path: String) throws {
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    for name in try manager.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      _ = manager.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      try manager.setAttributes(
        [.posixPermissions: isFolder.boolValue ? 0o700 : 0o600], ofItemAtPath: path + "/" + name)
    }
  }

  @Test("There are golden folders")
  func thereAreSome() { #expect(!GoldenFolderTests.names.isEmpty) }

  @Test("Each folder gives its answers, passes the checks, and can be written to", arguments: names)
  func answers(_ name: String) throws {
    let place = GoldenFolderTests.folders.appendingPathComponent(name)
    let file = place.appendingPathComponent("answers.json")
    guard case .array(let asked) = try JSONValue(json: [UInt8](Data(contentsOf: file))) else {
      Issue.record("answers.json is an array")
      return
    }
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: place.appendingPathComponent("folder").path, toPath: folder.data)
    try GoldenFolderTests.makePrivate(folder.data)
    let clock = Guarded(Instant(milliseconds: 1_795_000_000_000))
    let service = try #require(
      InProcessService(folder: folder.data) { options in
        options.now = {
          clock.withLock { now in
            now = now.advanced(by: 1); return now
          }
        }
      })
    var answered: [JSONValue] = []
    for question in asked {
      let method = try #require(question["method"]?.string)
      let params = String(decoding: question["params"]?.json ?? [], as: UTF8.self)
      let result = service.call(method, params)["result"] ?? .null
      if question["result"] != nil { #expect(question["result"] == result, "\(method) \(params)") }
      answered.append(
        .object(JSONObject([("method", .string(method)), ("params", question["params"] ?? .null), ("result", result)])))
    }
    if ProcessInfo.processInfo.environment["GOLDEN_REWRITE"] != nil {
      let lines = answered.map { String(decoding: $0.json, as: UTF8.self) }
      try Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8).write(to: file)
    }
    let health = service.call("store/health", "{\"scrub\":true}")["result"]
    #expect(health?["state"]?.string == "fine" && health?["findings"] == .array([]), "\(String(describing: health))")
    for backup in service.call("backup/list", "{}")["result"]?["backups"]?.array ?? [] {
      let id = try #require(backup["id"]?.string)
      #expect(service.call("backup/verify", "{\"id\":\"\(id)\"}")["result"]?["verified"] == .bool(true), "\(id)")
    }
    let meal = service.call("meals/add", #"{"name":"Plum","calories":30,"day":"2026-03-01"}"#)
    #expect(meal["result"]?["created"] == .bool(true))
    #expect(service.call("changes/undo", "{}")["result"] != nil)
    service.close()
  }
}
