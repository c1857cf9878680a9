import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("A locked folder", .processes)
struct LockedFolderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) async throws -> Finished {
    try await Program.run(arguments + ["--data", folder.data])
  }

  private func locked(_ daybook: Daybook) async throws -> Bool {
    try await daybook.refusal("data \(UUID())", "days/get") == "locked"
  }

  @Test("Commands that get at the data refuse, and those that tell how things are do not")
  func commands() async throws {
    try await folder.lock()
    let before = folder.dataEntries
    let file = folder.path + "/export.jsonl"
    for arguments in [
      ["export", file], ["export", "-"], ["import", file], ["import", file, "--preview"], ["backup"],
      ["backup", "list"], ["watch"], ["restore", "20260105T120000000Z-00000000"],
    ] {
      let refused = try await Program.run(arguments + ["--data", folder.data])
      #expect(refused.status != .exited(0) && refused.output.isEmpty, "\(arguments): \(refused.output)")
      if arguments[0] != "restore" { #expect(refused.error.contains("the app is locked"), "\(refused.error)") }
    }
    for method in ["days/get", "meals/list", "data/export", "backup/list", "settings/get", "changes/since"] {
      let params = ["data/export": #"{"path":"\#(file)"}"#, "changes/since": #"{"revision":0}"#][method] ?? "{}"
      let refused = try await run("call", method, params)
      #expect(refused.status == .exited(1))
      #expect(refused.error.contains(#""name":"locked""#), "\(method): \(refused.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(folder.dataEntries == before)
    #expect(try await run("call", "premium/status").output.contains(#""hasPremiumAccess":true"#))
    #expect(try await run("call", "lock/get").output.contains(#""locked":true"#))
    #expect(try await run("doctor").status == .exited(0))
    #expect(try await run("help", "export").status == .exited(0))
  }

  @Test("The lock of the commands fails closed", arguments: ["missing", "damaged"])
  func failsClosed(_ kind: String) async throws {
    try await folder.lock()
    let path = folder.data + "/premium.json"
    try FileManager.default.removeItem(atPath: path)
    if kind == "damaged" { try Data("{}".utf8).write(to: URL(fileURLWithPath: path)) }
    let refused = try await run("export", "-")
    #expect(refused.status == .exited(1) && refused.output.isEmpty)
    #expect(refused.error.contains("the app is locked"))
  }

  @Test("An authoritative loss of premium opens the folder for them too")
  func opened() async throws {
    try await folder.lock()
    let shop = Shop(folder)
    try shop.says(bought: false)
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    #expect(try await daybook.call("verify", "premium/verify")["outcome"]?.string == "notEntitled")
    try await daybook.finish()
    #expect(try await run("export", "-").output.contains("Meal “1”"))
  }

  @Test("A watch ends when the lock is switched on")
  func watch() async throws {
    let shop = Shop(folder)
    try shop.says(bought: true)
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    try await daybook.call("meal", "meals/add", Meals.params(1))
    try await daybook.call("verify", "premium/verify")
    var manner = Daybook.Manner()
    manner.isNewline = true
    let watch = try Daybook(["watch", "--data", folder.data], manner)
    // Until it watches for certain.
    for number in 2..<1000 where watch.messages.waiting.isEmpty {
      try await daybook.call("\(number)", "meals/add", Meals.params(number))
    }
    _ = try await watch.event("mealsChanged")
    try await daybook.call("lock", "settings/update", #"{"lockEnabled":true}"#)
    #expect(try await watch.exitStatus() == .exited(1))
    #expect(try await watch.errorText().contains("the app is locked"))
    try await daybook.finish()
  }

  @Test("Attempts that fail in one process count in another, and many at once are no more than some in a row")
  func attempts() async throws {
    try await folder.lock()
    let capabilities = #"{"authenticate":{}}"#
    let first = try await Daybook.serve(folder.data, .init(), capabilities: capabilities)
    let second = try await Daybook.serve(folder.data, .init(), capabilities: capabilities)
    for number in 0..<12 { first.request("\(number)", "lock/unlock") }
    for _ in 0..<12 { try await first.answer("device/authenticate", #"{"authenticated":false}"#) }
    var names: [String] = []
    for number in 0..<12 { names.append(try await first.response("\(number)").errorName ?? "none") }
    #expect(names.filter { $0 == "authenticationFailed" }.count == 5)
    #expect(names.filter { $0 == "tooManyAttempts" }.count == 7)
    #expect(try await second.refusal("unlock", "lock/unlock") == "tooManyAttempts")
    #expect(try folder.small("flags.json")?["lockAttempts"]?["failedAttempts"]?.integer == 5)
    #expect(try await locked(first))
    #expect(try await locked(second))
  }

  @Test("Attempts that cannot be written down count all the same")
  func unwritable() async throws {
    try await folder.lock()
    var manner = Daybook.Manner()
    manner.wrapper = ["/bin/sh", "-c", "ulimit -S -f 0; exec \"$@\"", "sh"]
    let daybook = try await Daybook.serve(folder.data, manner, capabilities: #"{"authenticate":{}}"#)
    for number in 0..<5 {
      daybook.request("\(number)", "lock/unlock")
      try await daybook.answer("device/authenticate", #"{"authenticated":false}"#)
      #expect(try await daybook.response("\(number)").errorName == "authenticationFailed")
    }
    #expect(try await daybook.refusal("sixth", "lock/unlock") == "tooManyAttempts")
  }
}
