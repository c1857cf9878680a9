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

@Suite("Two frontends on one folder", .processes)
struct SharedSessionTests {
  let folder: TemporaryFolder
  let shop: Shop
  init() throws {
    folder = try TemporaryFolder()
    shop = Shop(folder)
  }

  private func serve(_ arguments: [String] = []) async throws -> Daybook {
    let daybook = try await Daybook.serve(
      folder.data, .init(), arguments: arguments, capabilities: #"{"reminders":{}}"#)
    _ = try await daybook.event("startupFinished")
    return daybook
  }

  private func finish(_ all: [Daybook]) async throws {
    for daybook in all {
      try await daybook.call("end", "shutdown")
      daybook.notify("exit")
      #expect(try await daybook.exitStatus() == .exited(0))
      #expect(daybook.garbage.isEmpty)
    }
  }

  @Test("A purchase by one applies to the other, and so does its loss")
  func premium() async throws {
    try shop.says(bought: false)
    try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data]).requireDone()
    let (buyer, other) = (try await serve(shop.arguments), try await serve())
    for bought in [true, false, true] {
      try shop.says(bought: bought)
      try await buyer.call("verify \(bought)", "premium/verify")
      let told = try await other.event("premiumStatusChanged") {
        $0["status"]?["hasPremiumAccess"]?.boolean == bought
      }
      #expect(told["reason"]?.string == "otherProcess")
      #expect(try await other.call("status \(bought)", "premium/status")["hasPremiumAccess"]?.boolean == bought)
    }
    #expect(other.messages.waiting.allSatisfy { $0.method != "showToast" }, "the toast is the buyer's")
    try await finish([buyer, other])
  }

  @Test("An introduction completed by one is complete in the other")
  func onboarding() async throws {
    let (first, second) = (try await serve(), try await serve())
    try await first.call("complete", "onboarding/complete", #"{"choices":{"age":51}}"#)
    let told = try await second.event("onboardingCompleted")
    #expect(told["origin"]?.string == "otherProcess" && told["cause"]?.string == "completed")
    #expect(try await second.event("routeChanged")["route"]?.string == "main")
    #expect(try await second.call("get", "onboarding/get")["shows"]?.boolean == false)
    let again = try await second.call("again", "onboarding/complete", #"{"choices":{"age":20}}"#)
    #expect(again["alreadyCompleted"]?.boolean == true)
    #expect(try await first.call("settings", "settings/get")["settings"]?["age"]?.integer == 51)
    try await finish([first, second])
  }

  @Test("Notes by both before the folder exists are all kept")
  func firstStarts() async throws {
    try shop.says(bought: true)
    let (first, second) = (try await serve(shop.arguments), try await serve())
    // With premium there is a folder; the second's notes are older.
    try await first.call("complete", "onboarding/complete")
    _ = try await second.event("onboardingCompleted")
    try await second.call("add", "meals/add", Meals.params(1))
    let flags = try #require(try folder.small("flags.json"))
    #expect(flags["hasShownPremiumRestartToast"]?.boolean == true, "\(flags.text)")
    #expect(flags["hasCompletedOnboarding"]?.boolean == true, "\(flags.text)")
    try await finish([first, second])
    #expect(try folder.small("flags.json")?["hasShownPremiumRestartToast"]?.boolean == true)
  }

  @Test("Notes by both at the same time are all kept", arguments: 0..<5)
  func atOnce(_ round: Int) async throws {
    try shop.says(bought: true)
    try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data]).requireDone()
    let first = try await Daybook.serve(folder.data, .init())
    let second = try await Daybook.serve(folder.data, .init(), arguments: shop.arguments)
    first.request("complete", "onboarding/complete")
    second.request("verify", "premium/verify")
    _ = try await first.result("complete")
    _ = try await second.result("verify")
    // Their second phases write too, the zones and the clean-ups.
    for daybook in [first, second] { _ = try await daybook.event("startupFinished") }
    try await finish([first, second])
    let flags = try #require(try folder.small("flags.json"))
    #expect(flags["hasCompletedOnboarding"]?.boolean == true, "\(flags.text)")
    // The toast's flag is set by the first response and cleared by the next that agrees; there may have been one or
    // two.
    #expect(flags["hasShownPremiumRestartToast"]?.boolean != nil, "\(flags.text)")
    #expect(flags["zones"] != nil && flags["cleanups"] != nil, "\(flags.text)")
    let premium = try #require(try folder.small("premium.json"))
    #expect(premium["checksum"] != nil)
  }

  @Test("Data erased by one is not brought back by the other")
  func deletion() async throws {
    try shop.says(bought: true)
    let (first, second) = (try await serve(), try await serve(shop.arguments))
    try await second.call("complete", "onboarding/complete")
    try await second.call("verify", "premium/verify")
    _ = try await first.event("onboardingCompleted")
    let token = try await first.call("prepare", "account/prepareDeletion", #"{"scope":"everything"}"#)["token"]?.string
    try await first.call("delete", "account/delete", #"{"token":"\#(token ?? "")","backup":false}"#)
    #expect(try await second.event("routeChanged") { $0["route"]?.string == "onboarding" }["previousRoute"] != nil)
    #expect(try await second.call("status", "premium/status")["hasPremiumAccess"]?.boolean == false)
    try await second.call("add", "meals/add", Meals.params(1))
    try await second.call("zone", "device/timeZoneChanged", #"{"timeZone":"Asia/Tokyo"}"#)
    try await finish([second, first])
    #expect(try folder.small("flags.json")?["hasCompletedOnboarding"]?.boolean != true)
    #expect(try await Meals.stored(in: folder.data) == [1])
    let status = try await Program.run(["call", "onboarding/get", "--data", folder.data])
    #expect(status.output.contains(#""completed":false"#), "\(status.output)")
  }

  @Test("A setting changed by one is reported to the other by name")
  func oneSetting() async throws {
    let both = [try await serve(), try await serve()]
    try await both[0].call("meal", "meals/add", Meals.params(1))
    for (number, update) in [#"{"age":51}"#, #"{"appearance":"dark","dayStartsAt":4}"#, #"{"age":52}"#].enumerated() {
      let changer = both[number % 2]
      let other = both[1 - number % 2]
      try await other.call("before \(number)", "settings/get")
      let told = try await changer.call("\(number)", "settings/update", update)["changed"]
      let revision = try await changer.call("revision \(number)", "session/get")["revision"]?.integer
      let event = try await other.event("settingsChanged") { $0["revision"]?.integer == revision }
      #expect(event["changed"] == told && event["origin"]?.string == "otherProcess", "\(event.text)")
    }
    try await finish(both)
  }

  @Test("Settings changed and reminders snoozed by one change the plan of the other")
  func plans() async throws {
    try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data]).requireDone()
    let (first, second) = (try await serve(), try await serve())
    try await first.call("times", "settings/update", #"{"mealReminders":["12:00"]}"#)
    let told = try await second.event("remindersChanged")
    #expect((told["total"]?.integer ?? 0) > 10)
    let plan = try await second.call("plan", "reminders/plan")
    let id = try #require(plan["reminders"]?.array.last?["id"]?.string)
    try await first.call("done", "reminders/act", #"{"id":"\#(id)","action":"done"}"#)
    let removed = try await second.event("remindersChanged")["removed"]?.array
    #expect(removed == [.string(id)])
    try await finish([first, second])
  }

  @Test("A reminder comes from one of them, and the next from the other when the first was killed")
  func reminders() async throws {
    let both = [try await serve(), try await serve()]
    try await remindAtNoon(both)
    for daybook in both { try await daybook.call("clock", "debug/clock", #"{"now":"2030-05-01T12:00:30Z"}"#) }
    let giver = try await whoReminds(both)
    let due = try await both[giver].event("reminderDue")
    #expect(due["reminder"]?["fireAt"]?.string?.hasPrefix("2030-05-01T12:00") == true, "\(due.text)")
    for daybook in both { try await daybook.call("day", "debug/clock", #"{"now":"2030-05-02T12:00:30Z"}"#) }
    let next = try await both[giver].event("reminderDue")
    #expect(next["reminder"]?["fireAt"]?.string?.hasPrefix("2030-05-02T12:00") == true, "\(next.text)")
    // A delivery is recorded when it is sent.
    try await both[giver].call("noted", "server/info")
    both[giver].process.signal(SIGKILL)
    _ = try await both[giver].exitStatus()
    let heir = both[1 - giver]
    #expect(heir.messages.waiting.allSatisfy { $0.method != "reminderDue" }, "not a second time")
    try await heir.call("later", "debug/clock", #"{"now":"2030-05-03T12:00:30Z"}"#)
    let last = try await heir.event("reminderDue")
    #expect(last["reminder"]?["fireAt"]?.string?.hasPrefix("2030-05-03T12:00") == true, "\(last.text)")
    try await finish([heir])
    #expect(heir.messages.waiting.allSatisfy { $0.method != "reminderDue" })
  }

  @Test("A reminder repeats when its process was killed before recording it")
  func unnoted() async throws {
    let first = try await serve()
    try await remindAtNoon([first])
    let held = open(folder.data, O_RDONLY)
    defer { close(held) }
    try #require(held >= 0)
    while flock(held, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
    first.request("clock", "debug/clock", #"{"now":"2030-05-01T12:00:30Z"}"#)
    let given = try await first.event("reminderDue")
    first.process.signal(SIGKILL)
    _ = try await first.exitStatus()
    _ = flock(held, LOCK_UN)
    for round in 0..<2 {
      let next = try await serve()
      try await next.call("clock", "debug/clock", #"{"now":"2030-05-01T12:01:00Z"}"#)
      if round == 0 {
        let again = try await next.event("reminderDue")
        #expect(again["reminder"]?["id"] == given["reminder"]?["id"])
      }
      // Its delivery is recorded before it answers.
      try await next.call("looked", "server/info")
      let more = next.messages.waiting.filter { $0["params"]?["reminder"]?["id"] == given["reminder"]?["id"] }
      #expect(more.isEmpty)
      next.process.signal(SIGKILL)
      _ = try await next.exitStatus()
    }
  }

  @Test("A stopped process loses its lock after a while, and has lost it when it continues")
  func stopped() async throws {
    let both = [try await serve(), try await serve()]
    try await remindAtNoon(both)
    for daybook in both { try await daybook.call("clock", "debug/clock", #"{"now":"2030-05-01T12:00:30Z"}"#) }
    let giver = try await whoReminds(both)
    _ = try await both[giver].event("reminderDue")
    let heir = both[1 - giver]
    both[giver].process.signal(SIGSTOP)
    try await heir.call("day", "debug/clock", #"{"now":"2030-05-02T12:00:30Z"}"#)
    let next = try await heir.event("reminderDue")
    #expect(next["reminder"]?["fireAt"]?.string?.hasPrefix("2030-05-02T12:00") == true, "\(next.text)")
    both[giver].process.signal(SIGCONT)
    try await both[giver].call("day", "debug/clock", #"{"now":"2030-05-02T12:00:40Z"}"#)
    try await both[giver].call("plan", "reminders/plan")
    #expect(both[giver].messages.waiting.allSatisfy { $0.method != "reminderDue" }, "not a second time")
    try await finish(both)
  }

  @Test("One that unsubscribes from reminders leaves them to the other")
  func yields() async throws {
    let both = [try await serve(), try await serve()]
    try await remindAtNoon(both)
    for daybook in both { try await daybook.call("clock", "debug/clock", #"{"now":"2030-05-01T12:00:30Z"}"#) }
    let giver = try await whoReminds(both)
    _ = try await both[giver].event("reminderDue")
    try await both[giver].call("meals", "events/subscribe", #"{"domains":["meals"]}"#)
    // It releases its lock when it next checks the clock.
    try await both[giver].call("look", "debug/clock", #"{"now":"2030-05-01T12:00:40Z"}"#)
    try await both[giver].call("looked", "server/info")
    try await both[1 - giver].call("day", "debug/clock", #"{"now":"2030-05-02T12:00:30Z"}"#)
    let next = try await both[1 - giver].event("reminderDue")
    #expect(next["reminder"]?["fireAt"]?.string?.hasPrefix("2030-05-02T12:00") == true, "\(next.text)")
    try await finish(both)
  }

  /// Makes both schedule a reminder at noon of a later day; the test's own day may have one due.
  private func remindAtNoon(_ both: [Daybook]) async throws {
    for daybook in both { try await daybook.call("morning", "debug/clock", #"{"now":"2030-05-01T11:00:00Z"}"#) }
    try await both[0].call("settings", "settings/update", #"{"mealReminders":["12:00"]}"#)
    for daybook in both { _ = try await daybook.event("remindersChanged") }
  }

  /// The one of two that delivers the first reminder.
  private func whoReminds(_ both: [Daybook]) async throws -> Int {
    func has(_ daybook: Daybook) -> Bool { daybook.messages.waiting.contains { $0.method == "reminderDue" } }
    for number in 0..<20_000 {
      if let giver = both.firstIndex(where: has) { return giver }
      for daybook in both { try await daybook.call("poll \(number)", "server/info") }
    }
    throw HarnessError("nobody reminds")
  }
}
