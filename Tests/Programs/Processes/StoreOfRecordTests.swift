import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("A store of record", .processes)
struct StoreOfRecordTests {
  let folder: TemporaryFolder
  let shop: Shop
  init() throws {
    folder = try TemporaryFolder()
    shop = Shop(folder)
  }

  @Test(
    "An unresponsive or invalid one delays neither the start, nor a request, nor the end",
    arguments: ["silent frontend", "FIFO", "missing", "folder", "garbage", "huge", "never", "slow"], [true, false])
  func mute(_ kind: String, _ isProper: Bool) async throws {
    let isFrontend = kind == "silent frontend"
    if !isFrontend { try shop.becomes(kind) }
    let daybook = try await Daybook.serve(
      folder.data, .init(), arguments: isFrontend ? [] : shop.arguments,
      capabilities: isFrontend ? #"{"entitlements":{}}"# : "{}")
    daybook.request("verify", "premium/verify", #"{"timeoutMs":60000}"#)
    try await daybook.call("add", "meals/add", Meals.params(1))
    #expect(try await daybook.call("today", "days/get", #"{"day":"2026-01-05"}"#)["mealCount"]?.integer == 1)
    #expect(try await daybook.call("status", "premium/status")["hasPremiumAccess"]?.boolean == false)
    #expect(try await daybook.call("report", "startup/report")["state"] != nil)
    let isSilent = ["silent frontend", "never", "slow"].contains(kind)
    if !isSilent {
      let verified = try await daybook.response("verify")
      let reason = kind == "garbage" ? "malformed" : "unreachable"
      #expect(verified["result"]?["unknownReason"]?.string == reason, "\(verified.text)")
    }
    if isProper {
      try await daybook.call("end", "shutdown")
      daybook.notify("exit")
      #expect(try await daybook.exitStatus() == .exited(0))
    } else {
      daybook.closeInput()
      #expect(try await daybook.exitStatus() == .exited(1))
    }
    if isSilent { #expect(try await daybook.response("verify").errorName == "requestCancelled") }
    #expect(try folder.small("premium.json") == nil, "what is unknown is not written")
  }

  @Test("Many concurrent requests, faster than its responses, are all answered")
  func flood() async throws {
    try shop.says(bought: true, mode: "slow", delay: 300)
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    for number in 0..<2000 { daybook.request("\(number)", "premium/verify") }
    for number in 0..<2000 {
      #expect(try await daybook.result("\(number)")["outcome"]?.string == "entitled")
    }
    #expect(try await daybook.call("status", "premium/status")["loading"]?.boolean == false)
    try await daybook.finish()
  }

  @Test("A caller with a short timeout does not wait for those with a longer one")
  func impatience() async throws {
    try shop.says(bought: true, mode: "never")
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    daybook.request("long", "premium/verify", #"{"timeoutMs":60000}"#)
    for id in ["a", "b", "c"] { daybook.request(id, "premium/verify", #"{"timeoutMs":20}"#) }
    daybook.request("longer", "premium/verify", #"{"timeoutMs":60000}"#)
    // Regardless of when this process reads, callers with a short timeout are answered before the last one with a
    // longer timeout.
    var early = ["a", "b", "c"]
    while !early.isEmpty {
      let answer = try #require(await daybook.messages.take("an answer") { $0.responseID != nil })
      #expect(answer["result"]?["unknownReason"]?.string == "timedOut", "\(answer.text)")
      try #require(answer.responseID?.string != "longer", "they waited as long as the last")
      early.removeAll { $0 == answer.responseID?.string }
    }
    daybook.process.signal(SIGTERM)
    _ = try await daybook.exitStatus()
  }

  @Test("Requests waiting for it can be cancelled", arguments: ["premium/verify", "lock/unlock"])
  func cancel(_ method: String) async throws {
    try await folder.lock()
    let daybook = try await Daybook.serve(
      folder.data, .init(), capabilities: #"{"entitlements":{},"authenticate":{}}"#)
    daybook.request("wait", method, #"{"timeoutMs":60000}"#)
    daybook.notify("$/cancelRequest", #"{"id":"wait"}"#)
    #expect(try await daybook.response("wait").errorName == "requestCancelled")
    #expect(try await daybook.call("get", "lock/get")["failedAttempts"]?.integer == 0)
    #expect(try await daybook.refusal("data", "days/get") == "locked")
    try await daybook.call("end", "shutdown")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("Where nothing can be stored, its answer opens premium all the same", arguments: ["file", "FIFO", "full"])
  func unusableFolder(_ kind: String) async throws {
    try shop.says(bought: true)
    var manner = Daybook.Manner.script
    switch kind {
    case "file": try Data("text".utf8).write(to: URL(fileURLWithPath: folder.data))
    case "FIFO": try #require(mkfifo(folder.data, 0o600) == 0)
    default: manner.wrapper = ["/bin/sh", "-c", "ulimit -S -f 0; exec \"$@\"", "sh"]
    }
    let daybook = try await Daybook.serve(folder.data, manner, arguments: shop.arguments)
    for round in 0..<3 {
      daybook.request("verify \(round)", "premium/verify")
      daybook.request("data \(round)", "days/get")
      #expect(try await daybook.result("verify \(round)")["outcome"]?.string == "entitled")
      _ = try await daybook.response("data \(round)")
      #expect(try await daybook.call("status \(round)", "premium/status")["hasPremiumAccess"]?.boolean == true)
      #expect(try await daybook.refusal("add \(round)", "meals/add", Meals.params(round)) != nil)
    }
    try await daybook.finish()
  }
}
