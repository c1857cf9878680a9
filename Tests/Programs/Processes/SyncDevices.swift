import Foundation
import JSON
import Pacing
import ProcessTesting
import Testing

/// Devices that share a folder, each with a data folder of its own and premium.
struct SyncDevices {
  let folder: TemporaryFolder
  private let shop: Shop
  var shared: String { folder.path + "/shared" }

  init() throws {
    folder = try TemporaryFolder()
    shop = Shop(folder)
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
    try shop.says(bought: true)
  }

  func data(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Starts a service on a device's folder, which knows of premium from a process before it.
  func serve(_ name: String, _ manner: Daybook.Manner = .script) async throws -> Daybook {
    if !FileManager.default.fileExists(atPath: data(name)) {
      try await Program.run(["call", "premium/verify", "--data", data(name)] + shop.arguments).requireDone()
    }
    return try await Daybook.serve(data(name), manner, arguments: shop.arguments)
  }

  func remote(_ path: String? = nil) -> String { #"{"kind":"folder","path":"\#(path ?? shared)"}"# }

  /// A device that takes part.
  func joined(_ name: String, _ manner: Daybook.Manner = .script) async throws -> Daybook {
    let device = try await serve(name, manner)
    try await device.call(
      "join", "sync/configure", #"{"remote":\#(remote()),"deviceName":"\#(name)","create":true}"#)
    return device
  }
}

extension Daybook {
  func pass() async throws -> JSONValue { try await call("pass \(UUID())", "sync/now") }

  func add(_ name: String) async throws -> String {
    let meal = try await call("add \(name)", "meals/add", #"{"name":"\#(name)","calories":100,"day":"2026-01-05"}"#)
    return try #require(meal["meal"]?["id"]?.string)
  }

  /// Renames a meal, later than what another device did before: twice, as the second edit is later than the first even
  /// within a millisecond.
  func rename(_ id: String, _ name: String) async throws {
    for name in ["\(name)?", name] {
      try await call("rename \(UUID())", "meals/update", #"{"id":"\#(id)","name":"\#(name)"}"#)
    }
  }

  /// The names of all meals, in order.
  func names() async throws -> [String] {
    var names: [String] = []
    var cursor: String?
    repeat {
      let page = try await call("list \(UUID())", "meals/list", cursor.map { #"{"cursor":"\#($0)"}"# } ?? "{}")
      names += page["meals"]?.array.compactMap { $0["name"]?.string } ?? []
      cursor = page["nextCursor"]?.string
    } while cursor != nil
    return names.sorted()
  }

  func status() async throws -> JSONValue { try await call("status \(UUID())", "sync/status") }
}
