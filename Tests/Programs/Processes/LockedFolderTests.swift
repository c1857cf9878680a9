import Foundation
import JSON
import Pacing
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

  @Test("Commands that access data refuse, and status commands do not")
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
    for arguments in [
      ["today"], ["agenda", "week"], ["meals"], ["habits", "--year"], ["workouts", "Squat"], ["undo"],
      ["log", "porridge", "350"], ["log", "--dry-run", "porridge", "350"],
    ] {
      let refused = try await Program.run(["--data", folder.data] + arguments)
      #expect(refused.status == .exited(1) && refused.output.isEmpty, "\(arguments): \(refused.output)")
      #expect(refused.error == "daybook: Locked; unlock in a frontend\n", "\(arguments): \(refused.error)")
    }
    for method in ["days/get", "meals/list", "data/export", "backup/list", "settings/get", "changes/since"] {
      let params = ["data/export": #"{"path":"\#(file)"}"#, "changes/since": #"{"revision":0}"#][method] ?? "{}"
      let refused = try await run("call", method, params)
      #expect(refused.status == .exited(1))
      #expect(refused.error.contains(#""name":"locked""#), "\(method): \(refused.error)")
    }
    for words in [["log", ""], ["call", "meals/get", "id="], ["restore", ""]] {
      let silent = try await Program.run(["__complete", "--", "--data", folder.data] + words)
      #expect(silent.status == .exited(0) && silent.output.isEmpty && silent.error.isEmpty, "\(silent.output)")
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

  @Test("A watch ends when the lock is turned on")
  func watch() async throws {
    let shop = Shop(folder)
    try shop.says(bought: true)
    let daybook = try await Daybook.serve(
      folder.data, .init(), arguments: shop.arguments, capabilities: #"{"authenticate":{}}"#)
    try await daybook.call("meal", "meals/add", Meals.params(1))
    try await daybook.call("verify", "premium/verify")
    var manner = Daybook.Manner()
    manner.isNewline = true
    let watch = try Daybook(["watch", "--data", folder.data], manner)
    // Until it certainly watches.
    for number in 2..<1000 where watch.messages.waiting.isEmpty {
      try await daybook.call("\(number)", "meals/add", Meals.params(number))
    }
    _ = try await watch.event("mealsChanged")
    try await daybook.switchLockOn()
    #expect(try await watch.exitStatus() == .exited(1))
    #expect(try await watch.errorText().contains("the app is locked"))
    try await daybook.shutDown()
  }

  @Test("Attempts that fail in one process count in another, and unlocks at once are one attempt")
  func attempts() async throws {
    try await folder.lock()
    let capabilities = #"{"authenticate":{}}"#
    let both = [
      try await Daybook.serve(folder.data, .init(), capabilities: capabilities),
      try await Daybook.serve(folder.data, .init(), capabilities: capabilities),
    ]
    // Requested before any of them fails.
    for daybook in both { for number in 0..<3 { daybook.request("\(number)", "lock/unlock") } }
    for daybook in both {
      try await daybook.answer("device/authenticate", #"{"authenticated":false}"#)
      for number in 0..<3 { #expect(try await daybook.response("\(number)").errorName == "authenticationFailed") }
    }
    #expect(try folder.small("flags.json")?["lockAttempts"]?["failedAttempts"]?.integer == 2)
    for daybook in both {
      #expect(try await daybook.call("get", "lock/get")["failedAttempts"]?.integer == 2, "of both processes")
    }
    for number in 3..<6 {
      both[number % 2].request("\(number)", "lock/unlock")
      try await both[number % 2].answer("device/authenticate", #"{"authenticated":false}"#)
      #expect(try await both[number % 2].response("\(number)").errorName == "authenticationFailed")
    }
    for daybook in both {
      #expect(try await daybook.refusal("unlock", "lock/unlock") == "tooManyAttempts")
      #expect(try await locked(daybook))
    }
    #expect(try folder.small("flags.json")?["lockAttempts"]?["failedAttempts"]?.integer == 5)
  }

  @Test(
    "Restoring or importing data from a locked folder leaves an unlocked folder unlocked",
    arguments: ["restore", "import"])
  func elsewhere(_ way: String) async throws {
    try await folder.lock()
    let shop = Shop(folder)
    let capabilities = #"{"authenticate":{}}"#
    let daybook = try await Daybook.serve(folder.data, .init(), arguments: shop.arguments, capabilities: capabilities)
    daybook.request("open", "lock/unlock")
    try await daybook.answer("device/authenticate", #"{"authenticated":true}"#)
    _ = try await daybook.result("open")
    let file = folder.path + "/export.jsonl"
    try await daybook.call("export", "data/export", #"{"path":"\#(file)"}"#)
    let backup = try await daybook.call("backup", "backup/create")
    try await daybook.call("off", "settings/update", #"{"lockEnabled":false,"age":51}"#)
    try await daybook.call("later", "meals/add", Meals.params(2))
    if way == "restore" {
      let id = try #require(backup["id"]?.string ?? backup["backup"]?["id"]?.string)
      try await daybook.call("restore", "backup/restore", #"{"id":"\#(id)"}"#)
    }
    try await daybook.shutDown()
    if way == "import" { #expect(try await run("import", file, "--replace").status == .exited(0)) }
    let after = try await Daybook.serve(folder.data, .init(), arguments: shop.arguments, capabilities: capabilities)
    let settings = try await after.call("settings", "settings/get")["settings"]
    #expect(settings?["lockEnabled"]?.boolean == false && settings?["age"]?.integer != 51, "the rest is as it was")
    #expect(try await after.call("meals", "meals/list")["meals"]?.array.count == 1)
    try await after.shutDown()
  }

  @Test("Data is read while an unlock waits to be recorded, and the unlock is answered afterwards")
  func heldUp() async throws {
    try await folder.lock()
    let daybook = try await Daybook.serve(folder.data, .init(), capabilities: #"{"authenticate":{}}"#)
    let held = open(folder.data, O_RDONLY)
    defer { close(held) }
    try #require(held >= 0)
    var isNoted = false
    // On a very busy machine the note may be abandoned before the lock is released.
    for round in 0..<20 where !isNoted {
      daybook.request("fail \(round)", "lock/unlock")
      try await daybook.answer("device/authenticate", #"{"authenticated":false}"#)
      #expect(try await daybook.response("fail \(round)").errorName == "authenticationFailed")
      while flock(held, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
      daybook.request("open \(round)", "lock/unlock")
      try await daybook.answer("device/authenticate", #"{"authenticated":true}"#)
      while try await locked(daybook) {}
      _ = flock(held, LOCK_UN)
      _ = try await daybook.result("open \(round)")
      isNoted = try folder.small("flags.json")?["lockAttempts"] == nil
      try await daybook.call("lock \(round)", "lock/lock")
    }
    #expect(isNoted, "the session waits for the note, and reads nothing meanwhile")
    try await daybook.shutDown()
  }

  @Test("Attempts that cannot be recorded count anyway")
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
