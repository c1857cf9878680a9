import Foundation
import JSON
import ProcessTesting
import Spawning
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A store of record in a file, for `--store-of-record`.
struct Shop {
  let path: String

  init(_ folder: TemporaryFolder) { path = folder.path + "/store.json" }

  /// The arguments for a service.
  var arguments: [String] { ["--store-of-record", path] }

  private static let yearly =
    #"{"id":"1","productId":"daybook.premium.yearly","purchasedAt":"2026-01-01T00:00:00Z","expiresAt":"2199-01-01T00:00:00Z"}"#

  /// Sets the purchases, and the behaviour.
  func says(bought: Bool, mode: String = "online", delay: Int? = nil) throws {
    let delay = delay.map { #","delayMilliseconds":\#($0)"# } ?? ""
    let text = #"{"mode":"\#(mode)"\#(delay),"transactions":[\#(bought ? Shop.yearly : "")]}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Replaces the file by an invalid one.
  func becomes(_ kind: String) throws {
    switch kind {
    case "FIFO": try #require(mkfifo(path, 0o600) == 0)
    case "missing": break
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    case "garbage": try Data("{\"mode\":".utf8).write(to: URL(fileURLWithPath: path))
    case "huge":
      try Data("{".utf8).write(to: URL(fileURLWithPath: path))
      try #require(truncate(path, 3 << 30) == 0)
    case "never": try says(bought: true, mode: "never")
    default: try says(bought: true, mode: "slow", delay: 50_000)
    }
  }
}

extension Daybook {
  /// The next event of that name.
  func event(_ name: String, where matches: @escaping @Sendable (JSONValue) -> Bool = { _ in true }) async throws
    -> JSONValue
  {
    let message = try await messages.take("the event “\(name)”") {
      $0.method == name && $0["id"] == nil && matches($0["params"] ?? .null)
    }
    return try #require(message?["params"], "no “\(name)”; standard error: \(errorSoFar)")
  }

  /// Waits for a request of the service's, and answers it.
  func answer(_ method: String, _ result: String) async throws {
    let request = try #require(
      try await messages.take("the request “\(method)”") { $0.method == method && $0["id"] != nil })
    let id = try #require(request["id"]?.integer)
    post(frame(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#))
  }

  /// Turns the lock on, as the user.
  func switchLockOn() async throws {
    request("lock on", "settings/update", #"{"lockEnabled":true}"#)
    try await answer("device/authenticate", #"{"authenticated":true}"#)
    _ = try await result("lock on")
  }

  /// Ends a connection with an orderly shutdown.
  func shutDown() async throws {
    try await call("end", "shutdown")
    notify("exit")
    #expect(try await exitStatus() == .exited(0), "\(errorSoFar)")
    #expect(garbage.isEmpty)
  }

  /// Ends it orderly.
  func finish() async throws {
    closeInput()
    #expect(try await exitStatus() == .exited(0), "\(errorSoFar)")
    #expect(garbage.isEmpty)
  }
}

extension TemporaryFolder {
  /// A small file of the data folder, which must be valid; nil when it is missing.
  func small(_ name: String) throws -> JSONValue? {
    let path = data + "/" + name
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try JSONValue(json: Array(Data(contentsOf: URL(fileURLWithPath: path))))
  }

  /// Creates a data folder with premium and the lock setting.
  func lock() async throws {
    let shop = Shop(self)
    try shop.says(bought: true)
    let daybook = try await Daybook.serve(
      data, .init(), arguments: shop.arguments, capabilities: #"{"authenticate":{}}"#)
    try await daybook.call("meal", "meals/add", Meals.params(1))
    try await daybook.call("verify", "premium/verify")
    try await daybook.call("complete", "onboarding/complete")
    try await daybook.switchLockOn()
    try await daybook.shutDown()
  }
}
