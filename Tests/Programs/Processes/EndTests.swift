import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("The end of the process", .processes)
struct EndTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("A slow script still gets every response after it closed standard input")
  func slowScript() async throws {
    var manner = Daybook.Manner.script
    manner.readsOutput = false
    let daybook = try await Daybook.serve(folder.data, manner)
    for number in 0..<20 { daybook.request("\(number)", "rpc.discover") }
    daybook.closeInput()
    try await daybook.allTaken()
    // There is no event to await: it must outlive the time allowed after the editor's end.
    try await Task.sleep(for: .milliseconds(700))
    #expect(daybook.process.endedAs == nil)
    daybook.readOutput()
    for number in 0..<20 { _ = try await daybook.result("\(number)") }
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("When nobody reads its answers any more, it ends and says why", arguments: [true, false])
  func outputClosed(_ sendsAfterwards: Bool) async throws {
    var manner = Daybook.Manner.script
    manner.readsOutput = false
    let daybook = try await Daybook.serve(folder.data, manner)
    daybook.closeOutput()
    if sendsAfterwards { daybook.request("a", "server/info") }
    #expect(try await daybook.exitStatus() == .exited(1))
    #expect(try await daybook.errorText().contains("standard output was closed; exit status 1"))
  }

  @Test("A change whose response nobody reads is stored anyway")
  func writeBeforeOutputClosed() async throws {
    var manner = Daybook.Manner.script
    manner.readsOutput = false
    let daybook = try await Daybook.serve(folder.data, manner)
    daybook.closeOutput()
    daybook.request("a", "meals/add", Meals.params(1))
    #expect(try await daybook.exitStatus() == .exited(1))
    #expect(try await Meals.stored(in: folder.data) == [1])
  }

  @Test(
    "Without its standard streams it harms no file of the store",
    arguments: [[0], [1], [2], [1, 2], [0, 1, 2]] as [[Int32]])
  func missingStreams(_ closed: [Int32]) async throws {
    _ = try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data])
    var manner = Daybook.Manner.script
    manner.closed = closed
    let daybook = try await Daybook.serve(folder.data, manner, arguments: ["--log-level", "trace"])
    daybook.request("a", "meals/add", Meals.params(2))
    daybook.closeInput()
    _ = try await daybook.exitStatus()
    #expect(try await Meals.stored(in: folder.data).isSuperset(of: [1]))
    let lock = try String(contentsOfFile: folder.data + "/lock", encoding: .utf8)
    #expect(lock.hasPrefix("pid ") && lock.split(separator: "\n").count == 1, "\(lock)")
  }

  @Test("The end of the editor ends the service, even with work running", arguments: [true, false])
  func inputClosed(_ readsOutput: Bool) async throws {
    var manner = Daybook.Manner()
    manner.readsOutput = readsOutput
    let daybook = try await Daybook.serve(folder.data, manner)
    daybook.request("long", "debug/work", #"{"steps":1000,"restMs":60000}"#)
    if !readsOutput { for number in 0..<100 { daybook.request("\(number)", "rpc.discover") } }
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(1))
    #expect(try await daybook.errorText().contains("standard input was closed"))
    if readsOutput { #expect(try await daybook.response("long").errorName == "requestCancelled") }
  }

  @Test("“exit” ends it though standard input stays open", arguments: [true, false])
  func exit(_ shutsDown: Bool) async throws {
    let daybook = try await Daybook.serve(folder.data, .init())
    if shutsDown { try await daybook.call("a", "shutdown") }
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(shutsDown ? 0 : 1))
    #expect(try await daybook.errorText().contains("exit status 1") == !shutsDown)
  }

  @Test("“shutdown” does not wait for running work, which is answered as cancelled")
  func shutdownDuringWork() async throws {
    let daybook = try await Daybook.serve(folder.data, .init())
    for number in 0..<10 { daybook.request("work \(number)", "debug/work", #"{"steps":1000,"restMs":60000}"#) }
    try await daybook.call("end", "shutdown")
    for number in 0..<10 { #expect(try await daybook.response("work \(number)").errorName == "requestCancelled") }
    #expect(try await daybook.refusal("late", "days/get") == "invalidRequest")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("A stray print does not corrupt messages")
  func strayPrint() async throws {
    let daybook = try await Daybook.serve(folder.data, .init())
    let text = String(repeating: "oops ", count: 200)
    for number in 0..<100 { try await daybook.call("\(number)", "debug/print", #"{"text":"\#(text)"}"#) }
    try await daybook.call("end", "shutdown")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
    _ = try await daybook.messages.rest()
    #expect(daybook.garbage.isEmpty)
    #expect(try await daybook.errorText().contains("oops oops"))
  }
}
