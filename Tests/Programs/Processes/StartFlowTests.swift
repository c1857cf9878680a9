import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("The two phases of a start, over pipes", .processes)
struct StartFlowTests {
  let folder: TemporaryFolder
  let shop: Shop
  init() throws {
    folder = try TemporaryFolder()
    shop = Shop(folder)
  }

  private static let hello = Daybook.request("hello", "initialize", #"{"processId":null,"clientInfo":{"name":"test"}}"#)

  @Test("Thousands of requests during the second phase are all answered in order, and it ends")
  func flood() async throws {
    try shop.says(bought: true, mode: "slow", delay: 200)
    let daybook = try Daybook(["--data", folder.data] + shop.arguments)
    var bytes = daybook.frame(StartFlowTests.hello)
    bytes += daybook.frame(#"{"jsonrpc":"2.0","method":"initialized"}"#)
    for number in 0..<5000 {
      let isWrite = number % 10 == 0
      bytes += daybook.frame(
        Daybook.request(
          "\(number)", isWrite ? "meals/add" : "session/get", isWrite ? Meals.params(number) : "{}"))
    }
    daybook.post(bytes)
    _ = try await daybook.event("startupFinished")
    for number in 0..<5000 { _ = try await daybook.result("\(number)") }
    let report = try await daybook.call("report", "startup/report")
    #expect(report["state"]?.string == "ready", "\(report.text)")
    let tasks = daybook.messages.waiting.filter { $0.method == "startupTaskFinished" }.compactMap {
      $0["params"]?["task"]?["name"]?.string
    }
    #expect(Set(tasks).count == tasks.count, "each task ends once: \(tasks)")
    try await daybook.call("end", "shutdown")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("Before “initialize” nothing but what says so is answered, and nothing is left behind")
  func early() async throws {
    let daybook = try Daybook(["--data", folder.data])
    for method in ["premium/status", "startup/report", "onboarding/get", "device/becameActive", "lock/get"] {
      #expect(try await daybook.refusal(method, method) == "serverNotInitialized")
    }
    daybook.request("hello", "initialize", #"{"processId":null,"capabilities":{"entitlements":{}}}"#)
    #expect(try await daybook.result("hello")["route"]?.string == "onboarding")
    // No request of ours may come between the two, and notifications of the device are handled.
    #expect(try await daybook.call("active", "device/becameActive")["tasks"]?.array.isEmpty == false)
    #expect(try await daybook.call("status", "premium/status")["hasPremiumAccess"]?.boolean == false)
    #expect(daybook.messages.waiting.allSatisfy { $0["id"] == nil }, "nobody is asked before “initialized”")
    daybook.notify("initialized")
    try await daybook.answer("shop/currentEntitlements", #"{"transactions":[]}"#)
    _ = try await daybook.event("startupFinished")
    #expect(try await daybook.call("after", "premium/status")["reason"]?.string == "neverPurchased")
    try await daybook.call("end", "shutdown")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("A batch may hold what concerns the session, and is answered in its order")
  func batch() async throws {
    try shop.says(bought: true)
    let daybook = try await Daybook.serve(folder.data, arguments: shop.arguments)
    try await daybook.call("subscribe", "events/subscribe")
    let parts = [
      ("complete", "onboarding/complete"), ("route", "session/get"), ("verify", "premium/verify"),
      ("active", "device/becameActive"), ("get", "settings/get"), ("status", "premium/status"),
    ]
    daybook.post(daybook.frame("[" + parts.map { Daybook.request($0.0, $0.1) }.joined(separator: ",") + "]"))
    let answer = try #require(try await daybook.messages.take("the batch") { !$0.array.isEmpty })
    #expect(answer.array.compactMap { $0["id"]?.string } == parts.map(\.0))
    #expect(answer.array[1]["result"]?["route"]?.string == "main")
    #expect(answer.array[2]["result"]?["outcome"]?.string == "entitled")
    _ = try await daybook.event("onboardingCompleted")
    #expect(try await daybook.call("after", "premium/status")["hasPremiumAccess"]?.boolean == true)
    try await daybook.finish()
  }

  @Test("A script gets its responses in order, and their consequences before the end")
  func script() async throws {
    try shop.says(bought: true)
    let requests = [
      ("0", "events/subscribe", "{}"), ("a", "onboarding/complete", "{}"), ("b", "premium/verify", "{}"),
      ("c", "settings/update", #"{"age":44}"#),
      ("d", "premium/status", "{}"), ("e", "session/get", "{}"),
    ]
    let input = requests.map { Daybook.request($0.0, $0.1, $0.2) + "\n" }.joined()
    let ran = try await Program.run(["--no-handshake", "--data", folder.data] + shop.arguments, input: input)
    #expect(ran.status == .exited(0), "\(ran.error)")
    let messages = try ran.output.split(separator: "\n").map { try JSONValue(json: Array($0.utf8)) }
    // Waiting for the outside blocks nobody.
    #expect(messages.compactMap { $0.responseID?.string }.filter { $0 != "b" } == ["0", "a", "c", "d", "e"])
    func place(_ matches: (JSONValue) -> Bool) -> Int { messages.firstIndex(where: matches) ?? .max }
    let places = [
      place { $0.responseID == .string("a") }, place { $0.method == "onboardingCompleted" },
      place { $0.responseID == .string("c") }, place { $0.method == "settingsChanged" },
    ]
    #expect(places == places.sorted() && places.last != .max, "\(ran.output)")
    #expect(messages.contains { $0.method == "premiumStatusChanged" })
  }

  @Test("A client that never reads still gets an orderly start and end")
  func unread() async throws {
    try shop.says(bought: true)
    var manner = Daybook.Manner()
    manner.readsOutput = false
    let daybook = try Daybook(["--data", folder.data] + shop.arguments, manner)
    daybook.post(daybook.frame(StartFlowTests.hello))
    daybook.notify("initialized")
    for number in 0..<3000 { daybook.request("\(number)", "rpc.discover") }
    daybook.request("complete", "onboarding/complete")
    try await daybook.allTaken()
    daybook.process.signal(SIGTERM)
    #expect(try await daybook.exitStatus() == .exited(1))
    let status = try await Program.run(["call", "onboarding/get", "--data", folder.data])
    try status.requireDone()
  }

  private static let nonsense = [
    (["--store-of-record"], "--store-of-record needs a value"),
    (["--store-of-record", ""], "--store-of-record"),
    (["--products"], "--products needs a value"),
    (["--products", "/nonexistent/products.json"], "--products: /nonexistent/products.json cannot be read"),
    (["--force-onboarding=yes"], "--force-onboarding takes no value"),
    (["--force-onbording"], "did you mean --force-onboarding?"),
  ]

  @Test("Invalid options are named", arguments: nonsense)
  func options(_ arguments: [String], _ message: String) async throws {
    let ran = try await Program.run(["--no-handshake", "--data", folder.data] + arguments)
    #expect(ran.status == .exited(2), "\(ran.output)")
    #expect(ran.error.contains(message), "\(ran.error)")
    #expect(!FileManager.default.fileExists(atPath: folder.data))
  }

  @Test(
    "An invalid catalogue is refused with the location of the mistake",
    arguments: ["{}", "[", #"{"products":[{"id":""}]}"#])
  func catalogue(_ text: String) async throws {
    let path = folder.path + "/products.json"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let ran = try await Program.run(["--products", path, "--no-handshake", "--data", folder.data])
    #expect(ran.status == .exited(2) && ran.error.contains(path), "\(ran.error)")
  }
}
