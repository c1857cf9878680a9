import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("daybook serve", .processes)
struct ServeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Fixed time and ids are refused on a folder that was not made with them",
    arguments: [["--seed", "1"], ["--clock", "2026-01-05T12:00:00Z"]])
  func foreignFolder(_ options: [String]) async throws {
    let add = ["call", "meals/add", #"{"name":"Soup","calories":1}"#, "--data", folder.data]
    #expect(try await Program.run(add).status == .exited(0))
    let before = folder.dataEntries
    let refused = try await Program.run(add + options)
    #expect(refused.status == .exited(2) && refused.error.contains("for tests"))
    #expect(folder.dataEntries == before)
    let own = folder.path + "/own"
    for _ in 0..<2 {
      let call = try await Program.run(["call", "days/get", "--data", own] + options)
      #expect(call.status == .exited(0))
    }
  }

  @Test("A folder of other files is refused with a hint, unless it is a store, or with --force")
  func otherFiles() async throws {
    try FileManager.default.createDirectory(atPath: folder.data, withIntermediateDirectories: true)
    func put(_ name: String) throws { try Data("x".utf8).write(to: URL(fileURLWithPath: folder.data + "/" + name)) }
    try put(".hidden")
    #expect(try await Program.run(["call", "days/get", "--data", folder.data]).status == .exited(0))
    try put("letter.txt")
    for command in [
      ["serve"], ["call", "meals/add", #"{"name":"Soup","calories":1}"#], ["watch"], ["doctor"], ["export", "-"],
    ] {
      let refused = try await Program.run(command + ["--data", folder.data])
      #expect(refused.status == .exited(2), "\(command): \(refused.error)")
      #expect(refused.error.contains("--force") && refused.error.contains(folder.data + "/daybook"))
    }
    #expect(folder.dataEntries == [".hidden", "letter.txt"])
    let forced = try await Program.run([
      "call", "meals/add", #"{"name":"Soup","calories":1}"#, "--data", folder.data, "--force",
    ])
    #expect(forced.status == .exited(0), "\(forced.error)")
    #expect(
      try await Program.run(["call", "days/get", "--data", folder.data]).status == .exited(0), "it is a store now")
    try FileManager.default.removeItem(atPath: folder.data + "/store.json")
    #expect(try await Program.run(["doctor", "--data", folder.data]).status != .exited(2), "and one that is damaged")
  }

  #if os(Linux)
    @Test(
      "A failing output is reported",
      arguments: [["call", "days/get"], ["--help"], ["doctor"], ["export", "-"]])
    func lostOutput(_ command: [String]) async throws {
      let add = try await Program.run(["call", "meals/add", #"{"name":"Soup","calories":1}"#, "--data", folder.data])
      #expect(add.status == .exited(0))
      for way in [">/dev/full", ">&-"] {
        var manner = Daybook.Manner()
        manner.wrapper = ["/bin/sh", "-c", "exec \"$@\" \(way)", "sh"]
        let daybook = try Daybook(command + ["--data", folder.data], manner)
        #expect(try await daybook.exitStatus() == .exited(3), "\(way)")
        #expect(try await daybook.errorText().contains("standard output cannot be written"), "\(way)")
      }
    }
  #endif

  @Test("An export is imported from standard input like from a file")
  func importFromInput() async throws {
    let add = try await Program.run(["call", "meals/add", #"{"name":"Soup","calories":1}"#, "--data", folder.data])
    #expect(add.status == .exited(0))
    let text = try await Program.run(["export", "-", "--data", folder.data]).output
    for (input, status) in [(text, 0), (text, 0), (String(text.dropLast(20)), 1), ("", 1)] as [(String, Int)] {
      var manner = Daybook.Manner()
      manner.isNewline = true
      let daybook = try Daybook(["import", "-", "--data", folder.path + "/other"], manner)
      daybook.post(Array(input.utf8))
      daybook.closeInput()
      #expect(try await daybook.exitStatus() == .exited(status), "\(daybook.errorSoFar)")
    }
    let list = try await Program.run(["call", "meals/list", "--data", folder.path + "/other"])
    #expect(list.output.contains("Soup"))
  }

  @Test("The same seed and clock give the same answers")
  func deterministic() async throws {
    var answers: Set<String> = []
    for number in 0..<2 {
      let call = try await Program.run([
        "call", "meals/add", #"{"name":"Soup","calories":1}"#, "--data", folder.path + "/\(number)", "--seed", "5",
        "--clock", "2026-01-05T12:00:00Z",
      ])
      #expect(call.status == .exited(0))
      answers.insert(call.output)
    }
    #expect(answers.count == 1)
  }

  @Test(
    "Options that editors add are accepted", arguments: [["--stdio"], ["--clientProcessId=77"], ["serve", "--stdio"]])
  func editors(_ arguments: [String]) async throws {
    let daybook = try Daybook(arguments + ["--data", folder.data])
    daybook.request("a", "initialize")
    _ = try await daybook.result("a")
  }

  @Test("The user's data reaches the log at “trace” only", arguments: ["error", "warning", "info", "debug", "trace"])
  func privacy(_ level: String) async throws {
    let daybook = try await Daybook.serve(folder.data, arguments: ["--log-level", level])
    let secret = "Geheimniskuchen"
    let id = "00000000-0000-4000-8000-000000000001"
    for (number, params) in [
      #"{"id":"\#(id)","name":"\#(secret)","calories":1}"#, #"{"id":"\#(id)","name":"\#(secret)","calories":2}"#,
      #"{"name":"\#(secret)","calories":"\#(secret)"}"#, #"{"\#(secret)":1}"#, #"["\#(secret)"]"#, #""\#(secret)""#,
      #"{"name":"x","calories":1,"protein":"\#(secret)"}"#, #"{"name":"x","calories":1,"day":"\#(secret)"}"#,
    ].enumerated() {
      daybook.request("\(number)", "meals/add", params)
      _ = try await daybook.response("\(number)")
    }
    daybook.request("method", secret)
    _ = try await daybook.response("method")
    daybook.post(Array("{\"\(secret)\": \(secret)}\n\(secret)\n".utf8))
    daybook.post(Array("{\"\(secret)\":1,\"\(secret)\":2}\n".utf8))
    daybook.post(Array("{\"“”\(secret)“\(secret)”\":1,\"“”\(secret)“\(secret)”\":2}\n".utf8))
    daybook.notify("$/setTrace", #"{"value":"\#(secret)"}"#)
    daybook.request("end", "server/info")
    _ = try await daybook.result("end")
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
    #expect(try await daybook.errorText().contains(secret) == (level == "trace"))
    if level == "debug" { #expect(try await daybook.errorText().contains("meals/add")) }
  }

  @Test("On a terminal it introduces itself, and serves")
  func terminal() async throws {
    let script = "/usr/bin/script"
    guard FileManager.default.isExecutableFile(atPath: script) else {
      return print("skipped: there is no “script” here")
    }
    let command = "\(try Program.path()) --data \(folder.data)"
    let run = try await Program.command([script, "-qec", command, "/dev/null"])
    #expect(run.output.contains("daybook speaks JSON-RPC"), "\(run.output) \(run.error)")
    #expect(run.output.contains("daybook call days/get"))
  }

  @Test("A stored change whose answer cannot be written is told on standard error, with its revision")
  func unanswered() async throws {
    let request = Daybook.request("1", "meals/add", #"{"name":"Soup","calories":250}"#) + "\n"
    for (input, isStored) in [(request, true), (Daybook.request("1", "days/get") + "\n", false)] {
      let run = try await Program.run(
        ["--no-handshake", "--data", folder.data], input: input,
        wrapper: ["/bin/sh", "-c", "exec \"$@\" >&-", "sh"])
      #expect(run.status == .exited(1) && run.error.contains("standard output was closed"))
      #expect(run.error.contains("up to revision 1 are stored") == isStored, "\(run.error)")
    }
  }

  @Test("A script's change without an id is told on standard error, also when the method has a typing error")
  func withoutID() async throws {
    let lines = [
      #"{"jsonrpc":"2.0","method":"meals/add","params":{"name":"Soup","calories":250}}"#,
      #"[{"jsonrpc":"2.0","method":"weights/add","params":{}}]"#, #"{"jsonrpc":"2.0","method":"meals/ad"}"#,
      #"{"jsonrpc":"2.0","method":"$/other"}"#, #"{"jsonrpc":"2.0","method":"days/get"}"#,
      #"{"jsonrpc":"2.0","id":null,"method":"meals/add","params":{"name":"Soup","calories":250}}"#,
    ]
    let run = try await Program.run(
      ["--no-handshake", "--data", folder.data], input: lines.map { $0 + "\n" }.joined())
    let told = run.error.split(separator: "\n")
    #expect(told.count == 3 && run.status == .exited(0), "\(run.error)")
    #expect(told.count { $0.contains("came without an id, and was not carried out") } == 2)
    #expect(told.first?.contains("meals/add") == true && told.last?.contains("weights/add") != nil)
    #expect(run.output.contains(#""id":null"#) && run.output.contains(#""revision":1"#), "an id of null gets an answer")
  }
}
