import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Serialized, because they need much memory and time.
@Suite("Unread and closed streams", .serialized, .processes)
struct FlowTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Eight megabytes of requests are accepted while no response is read, then all are answered in order",
    arguments: [true, false])
  func undrainedOutput(_ isNewline: Bool) async throws {
    var manner = isNewline ? Daybook.Manner.script : Daybook.Manner()
    manner.readsOutput = false
    let daybook = try await Daybook.serve(folder.data, manner)
    var sent = 0
    var count = 0
    while sent < 8 << 20 {
      let add = daybook.frame(Daybook.request("add \(count)", "meals/add", Meals.params(count, note: 8000)))
      let get = daybook.frame(Daybook.request("get \(count)", "days/get", #"{"day":"2026-01-05"}"#))
      daybook.post(add + get)
      sent += add.count + get.count
      count += 1
    }
    try await daybook.allTaken()
    daybook.readOutput()
    for number in 0..<count {
      #expect(try await daybook.result("add \(number)")["created"]?.boolean == true)
      #expect(try await daybook.result("get \(number)")["mealCount"]?.integer == number + 1)
    }
    if isNewline { daybook.closeInput() } else { daybook.notify("exit") }
    _ = try await daybook.exitStatus()
    let rest = try await daybook.messages.rest().filter { $0.responseID != nil && $0.responseID != .string("hello") }
    #expect(rest.isEmpty, "nothing is answered twice: \(rest.first?.text ?? "")")
    #expect(daybook.garbage.isEmpty)
  }

  @Test("“exit” behind megabytes of answers that nobody takes ends the service all the same", arguments: [true, false])
  func unreadEnd(_ isInOrder: Bool) async throws {
    var manner = Daybook.Manner()
    manner.readsOutput = false
    let daybook = try await Daybook.serve(folder.data, manner)
    let discover = daybook.frame(Daybook.request("all", "rpc.discover"))
    var sent = daybook.frame(Daybook.request("add", "meals/add", Meals.params(1)))
    for _ in 0..<1000 { sent += discover }
    sent += daybook.frame(Daybook.request("behind", "meals/add", Meals.params(2)))
    if isInOrder { sent += daybook.frame(Daybook.request("end", "shutdown")) }
    sent += daybook.frame(#"{"jsonrpc":"2.0","method":"exit"}"#)
    daybook.post(sent)
    #expect(try await daybook.exitStatus() == .exited(isInOrder ? 0 : 1))
    let stored = try await Meals.stored(in: folder.data)
    #expect(stored == [1], "what waited was not begun")
  }

  @Test("Megabytes of unread log lines block nothing, and are counted")
  func undrainedError() async throws {
    var manner = Daybook.Manner()
    manner.readsError = false
    let daybook = try await Daybook.serve(folder.data, manner)
    try await daybook.call("a", "debug/print", #"{"errorLines":20000}"#)
    let dropped = try await daybook.call("b", "server/status")["droppedLogMessages"]?.integer ?? 0
    #expect(dropped > 10_000)
    daybook.readError()
    try await daybook.call("c", "shutdown")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
    for line in try await daybook.errorText().split(separator: "\n") { #expect(line.hasPrefix("daybook: ")) }
  }

  @Test(
    "A message of 64 MiB is served, a larger one is refused, and what follows is in step", arguments: [true, false])
  func largeMessages(_ isNewline: Bool) async throws {
    let daybook = try await Daybook.serve(folder.data, isNewline ? .script : .init())
    func padded(_ id: String, to size: Int) -> String {
      let start = #"{"jsonrpc":"2.0","id":"\#(id)","method":"server/info","params":{}"#
      return start + String(repeating: " ", count: size - start.utf8.count - 1) + "}"
    }
    let cap = 64 << 20
    daybook.post(daybook.frame(padded("at", to: cap)))
    daybook.post(daybook.frame(padded("above", to: cap + 1)))
    daybook.request("after", "server/info")
    #expect(try await daybook.result("at")["name"]?.string == "daybook")
    #expect(try await daybook.result("after")["name"]?.string == "daybook")
    let refused = try await daybook.messages.take("the refusal") { $0.responseID == .null }
    #expect(refused?.errorName == "messageTooLarge")
  }

  @Test("A message of maximum nesting is also processed from the backlog")
  func deepNesting() async throws {
    var manner = Daybook.Manner()
    manner.readsOutput = false
    let daybook = try Daybook(["--data", folder.data], manner)
    for number in 0..<60 { daybook.request("\(number)", "rpc.discover") }
    let arrays = String(repeating: "[", count: 505) + String(repeating: "]", count: 505)
    let objects = String(repeating: "{\"a\":", count: 505) + "1" + String(repeating: "}", count: 505)
    daybook.request("deep", "initialize", "{\"capabilities\":\(objects),\"clientInfo\":\(arrays)}")
    try await daybook.allTaken()
    daybook.readOutput()
    #expect(try await daybook.result("deep")["protocolVersion"]?.integer == 1)
  }
}
