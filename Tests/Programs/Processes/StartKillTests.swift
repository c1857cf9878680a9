import Foundation
import JSON
import Pacing
import ProcessTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Serialized, because they load the disk.
@Suite("Processes killed around their notes", .serialized, .processes)
struct StartKillTests {
  static let rounds = ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap { Int($0) } ?? 10

  let folder: TemporaryFolder
  let shop: Shop
  init() throws {
    folder = try TemporaryFolder()
    shop = Shop(folder)
  }

  /// Sends a request and kills the process at some later moment; returns whether it was answered.
  private func kill(_ daybook: Daybook, _ method: String, _ params: String = "{}") async throws -> Bool {
    daybook.request("last", method, params)
    try await daybook.allTaken()
    // About the duration of such a request.
    var turns = Int.random(in: 0..<4000) * [1, 10, 100][Int.random(in: 0..<3)]
    while turns > 0 {
      _ = getppid()
      turns -= 1
    }
    daybook.process.signal(SIGKILL)
    _ = try await daybook.exitStatus()
    return try await daybook.messages.rest().contains {
      $0.responseID == .string("last") && $0["result"] != nil
    }
  }

  private func call(_ method: String, _ params: String = "{}") async throws -> JSONValue {
    let call = try await Program.run(["call", method, params, "--data", folder.data])
    try call.requireDone()
    #expect(!call.error.contains("passed over"), "\(call.error)")
    for name in ["flags.json", "premium.json", "reminders.json"] { _ = try folder.small(name) }
    return try JSONValue(json: Array(call.output.utf8))
  }

  @Test(
    "Its introduction is complete with its choices, or not at all, and never lost once answered",
    arguments: 0..<rounds)
  func onboarding(_ round: Int) async throws {
    let daybook = try await Daybook.serve(folder.data)
    if round % 2 == 0 { try await daybook.call("meal", "meals/add", Meals.params(1)) }
    let answered = try await kill(daybook, "onboarding/complete", #"{"choices":{"age":51}}"#)
    let completed = try await call("onboarding/get")["completed"]?.boolean
    #expect(completed == true || !answered)
    let age = try await call("settings/get")["settings"]?["age"]?.integer
    #expect(age == (completed == true ? 51 : 32))
  }

  @Test("Its premium status is the last known or the reported one", arguments: 0..<rounds)
  func premium(_ round: Int) async throws {
    try shop.says(bought: round % 2 == 0)
    let first = try await Daybook.serve(folder.data, arguments: shop.arguments)
    try await first.call("verify", "premium/verify")
    try await first.finish()
    try shop.says(bought: round % 2 == 1)
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    let answered = try await kill(daybook, "premium/verify")
    let status = try await call("premium/status")
    let has = status["hasPremiumAccess"]?.boolean
    #expect(status["checkedAt"]?.string != nil, "\(status.text)")
    if answered { #expect(has == (round % 2 == 1), "\(status.text)") }
  }

  @Test("Its settings are the old or the new ones", arguments: 0..<rounds)
  func settings(_ round: Int) async throws {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("first", "settings/update", #"{"age":40,"height":"170"}"#)
    let answered = try await kill(daybook, "settings/update", #"{"age":44,"height":"180"}"#)
    let settings = try await call("settings/get")["settings"]
    #expect(settings?["age"]?.integer == 44 || !answered)
    #expect(settings?["height"]?.string == (settings?["age"]?.integer == 44 ? "180" : "170"))
  }

  @Test("A deletion is completed by the next start, or was not started", arguments: 0..<rounds)
  func deletion(_ round: Int) async throws {
    try shop.says(bought: true)
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    for number in 0..<3 { try await daybook.call("\(number)", "meals/add", Meals.params(number)) }
    try await daybook.call("complete", "onboarding/complete")
    try await daybook.call("verify", "premium/verify")
    let prepared = try await daybook.call("prepare", "account/prepareDeletion", #"{"scope":"everything"}"#)
    let token = prepared["token"]?.string
    let answered = try await kill(
      daybook, "account/delete", #"{"token":"\#(token ?? "")","backup":false,"include":["backups","logs"]}"#)
    let completed = try await call("onboarding/get")["completed"]?.boolean
    let meals = try await Meals.stored(in: folder.data)
    #expect(meals == (completed == true ? [0, 1, 2] : []))
    #expect(completed == false || !answered)
    if completed == false {
      // The process may have queried its store of record again before it was killed.
      #expect(try folder.small("flags.json")?["hasCompletedOnboarding"]?.boolean != true)
      #expect(!FileManager.default.fileExists(atPath: folder.data + "/erasing.json"))
    } else {
      #expect(try await call("premium/status")["hasPremiumAccess"]?.boolean == true)
    }
  }

  @Test("A reminder is snoozed or completed, or neither", arguments: 0..<rounds)
  func reminders(_ round: Int) async throws {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("times", "settings/update", #"{"mealReminders":["12:00"]}"#)
    let plan = try await daybook.call("plan", "reminders/plan")
    let id = try #require(plan["reminders"]?.array.last?["id"]?.string)
    let snoozes = round % 2 == 0
    let answered = try await kill(
      daybook, snoozes ? "reminders/snooze" : "reminders/act",
      snoozes ? #"{"id":"\#(id)"}"# : #"{"id":"\#(id)","action":"done"}"#)
    let after = try await call("reminders/plan", #"{"days":30}"#)["reminders"]?.array ?? []
    let entry = after.first { $0["id"]?.string == id }
    if answered { #expect(snoozes ? entry?["snoozed"]?.boolean == true : entry == nil, "\(entry?.text ?? "")") }
  }

  @Test(
    "Acknowledged notes are written before an orderly end", arguments: ["exit", "end of input", "script", "signal"])
  func noted(_ end: String) async throws {
    for round in 0..<5 {
      let folder = try TemporaryFolder()
      let daybook = try await Daybook.serve(folder.data, end == "script" ? .script : .init())
      var bytes = daybook.frame(Daybook.request("complete", "onboarding/complete"))
      if end == "exit" {
        bytes += daybook.frame(Daybook.request("end", "shutdown"))
        bytes += daybook.frame(#"{"jsonrpc":"2.0","method":"exit"}"#)
      }
      daybook.post(bytes)
      if end == "signal" {
        _ = try await daybook.result("complete")
        daybook.process.signal(SIGTERM)
      } else if end != "exit" {
        daybook.closeInput()
      }
      _ = try await daybook.exitStatus()
      if end != "signal" { _ = try await daybook.result("complete") }
      #expect(try folder.small("flags.json")?["hasCompletedOnboarding"]?.boolean == true, "round \(round)")
    }
  }
}
