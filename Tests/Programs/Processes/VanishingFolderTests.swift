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

/// Serialized, because mounts are global.
@Suite("A data folder that disappears, or is full", .serialized, .processes)
struct VanishingFolderTests {
  let folder: TemporaryFolder
  let shop: Shop
  init() throws {
    folder = try TemporaryFolder()
    shop = Shop(folder)
  }

  private func serve(_ data: String? = nil) async throws -> Daybook {
    let daybook = try await Daybook.serve(
      data ?? folder.data, .init(), arguments: shop.arguments, capabilities: #"{"authenticate":{}}"#)
    _ = try await daybook.event("startupFinished")
    return daybook
  }

  private func move(_ from: String, _ to: String) throws {
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }

  /// All requests about the service's notes; each is answered, or refused by name.
  private func useEverything(_ daybook: Daybook, _ round: String) async throws -> [String: JSONValue] {
    let requests = [
      ("premium/verify", "{}"), ("premium/status", "{}"), ("onboarding/complete", "{}"), ("onboarding/get", "{}"),
      ("settings/update", #"{"mealReminders":["12:00"],"age":51}"#), ("settings/get", "{}"), ("reminders/plan", "{}"),
      ("device/timeZoneChanged", #"{"timeZone":"Asia/Tokyo"}"#), ("device/becameActive", "{}"), ("lock/get", "{}"),
      ("session/get", "{}"), ("startup/report", "{}"), ("meals/add", Meals.params(7, note: 9000)), ("days/get", "{}"),
      ("secrets/set", #"{"name":"key","value":"secret"}"#), ("account/prepareDeletion", #"{"scope":"everything"}"#),
      ("paywall/report", #"{"result":"purchased"}"#), ("store/health", "{}"), ("logs/tail", "{}"),
    ]
    for (method, params) in requests { daybook.request("\(round) \(method)", method, params) }
    var answers: [String: JSONValue] = [:]
    for (method, _) in requests {
      let answer = try await daybook.response("\(round) \(method)")
      #expect(answer["result"] != nil || answer.errorName != nil, "\(method): \(answer.text)")
      #expect(answer.errorName != "internalError" && answer.errorName != "invalidParams", "\(method): \(answer.text)")
      answers[method] = answer
    }
    #expect(answers["premium/verify"]?["result"]?["outcome"]?.string == "entitled")
    let status = try await daybook.call("\(round) after", "premium/status")
    #expect(status["hasPremiumAccess"]?.boolean == true, "\(round): \(status.text)")
    return answers
  }

  @Test("While it is gone premium works from memory, and when it is back everything is as it was")
  func gone() async throws {
    try shop.says(bought: true)
    let daybook = try await serve()
    _ = try await useEverything(daybook, "before")
    try move(folder.data, folder.path + "/elsewhere")
    let answers = try await useEverything(daybook, "gone")
    #expect(try await daybook.refusal("another", "meals/add", Meals.params(8)) == "storeUnavailable")
    #expect(answers["secrets/set"]?.errorName == "storeUnavailable", "\(answers["secrets/set"]?.text ?? "")")
    #expect(answers["onboarding/get"]?["result"]?["completed"]?.boolean != false)
    if FileManager.default.fileExists(atPath: folder.data) {
      Issue.record("another folder was made in its place: \(folder.dataEntries)")
      try FileManager.default.removeItem(atPath: folder.data)
    }
    try move(folder.path + "/elsewhere", folder.data)
    _ = try await useEverything(daybook, "back")
    try await daybook.shutDown()
    #expect(try await Meals.stored(in: folder.data, note: 9000) == [7])
    #expect(try folder.small("flags.json")?["hasCompletedOnboarding"]?.boolean == true)
    #expect(try folder.small("premium.json") != nil)
  }

  @Test("A replacement is recognized as another folder", arguments: [true, false])
  func exchanged(_ isCompleted: Bool) async throws {
    try shop.says(bought: true)
    let other = try await Daybook.serve(folder.path + "/other")
    try await other.call("add", "meals/add", Meals.params(1))
    if isCompleted { try await other.call("complete", "onboarding/complete") }
    try await other.finish()
    let daybook = try await serve()
    if !isCompleted { try await daybook.call("complete", "onboarding/complete") }
    try await daybook.call("add", "meals/add", Meals.params(2))
    try move(folder.data, folder.path + "/elsewhere")
    try move(folder.path + "/other", folder.data)
    _ = try await daybook.event("storeReplaced")
    let route = try await daybook.event("routeChanged") { $0["route"]?.string == (isCompleted ? "main" : "onboarding") }
    #expect(route["previousRoute"]?.string != route["route"]?.string)
    #expect(try await daybook.call("get", "onboarding/get")["completed"]?.boolean == isCompleted)
    #expect(try await daybook.call("verify", "premium/verify")["outcome"]?.string == "entitled")
    try await daybook.call("zone", "device/timeZoneChanged", #"{"timeZone":"Asia/Tokyo"}"#)
    try await daybook.shutDown()
    #expect(try await Meals.stored(in: folder.data) == [1])
    let call = try await Program.run(["call", "onboarding/get", "--data", folder.data])
    #expect(call.output.contains("\"completed\":\(isCompleted)"))
  }

  @Test("Without room nothing is half written, and with room again everything goes on")
  func full() async throws {
    guard getuid() == 0 else { return print("skipped: only root can mount a small disk") }
    try shop.says(bought: true)
    let disk = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let mount = try await Program.command(["/usr/bin/mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk])
    guard mount.status == .exited(0) else { return print("skipped: no mounting here: \(mount.error)") }
    do {
      try await fill(disk)
    } catch { Issue.record(error) }
    _ = try await Program.command(["/usr/bin/umount", "-l", disk])
  }

  private func fill(_ disk: String) async throws {
    let data = disk + "/data"
    let daybook = try await serve(data)
    try await daybook.call("first", "meals/add", Meals.params(1, note: 9000))
    let descriptor = open(disk + "/filler", O_WRONLY | O_CREAT, 0o600)
    let zeros = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, zeros, zeros.count) > 0 {}
    close(descriptor)
    for round in ["full", "still full"] { _ = try await useEverything(daybook, round) }
    unlink(disk + "/filler")
    let answers = try await useEverything(daybook, "room")
    #expect(answers["onboarding/get"]?["result"]?["completed"]?.boolean == true)
    #expect(answers["settings/get"]?["result"]?["settings"]?["age"]?.integer == 51)
    try await daybook.shutDown()
    #expect(try await Meals.stored(in: data, note: 9000) == [1, 7])
    for name in ["flags.json", "premium.json"] {
      let text = try Data(contentsOf: URL(fileURLWithPath: data + "/" + name))
      _ = try JSONValue(json: Array(text))
    }
    let status = try await Program.run(["call", "premium/status", "--data", data])
    #expect(status.output.contains(#""hasPremiumAccess":true"#) && !status.error.contains("passed over"))
  }

  @Test("Where nothing can be written premium works from memory, and nothing is said to be stored")
  func readOnly() async throws {
    guard getuid() == 0 else { return print("skipped: only root can mount") }
    try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data]).requireDone()
    try shop.says(bought: true)
    let mounted = try await Program.command(["/usr/bin/mount", "--bind", folder.data, folder.data])
    guard mounted.status == .exited(0) else { return print("skipped: no mounting here: \(mounted.error)") }
    _ = try await Program.command(["/usr/bin/mount", "-o", "remount,bind,ro", folder.data])
    do {
      let daybook = try await serve()
      for round in ["first", "second"] {
        let answers = try await useEverything(daybook, round)
        for method in ["meals/add", "settings/update", "secrets/set"] {
          #expect(answers[method]?.errorName == "storeReadOnly", "\(answers[method]?.text ?? "")")
        }
        // The introduction can be completed until the process ends.
        let result = answers["onboarding/complete"]?["result"]
        #expect(result?["onboarding"]?["completed"]?.boolean == true)
        #expect(result?["temporary"]?.boolean == (round == "first" ? true : nil))
        #expect(try await daybook.call("route \(round)", "session/get")["route"]?.string == "main")
      }
      try await daybook.shutDown()
    } catch { Issue.record(error) }
    _ = try await Program.command(["/usr/bin/umount", "-l", folder.data])
  }
}
