import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Exports and imports of our own format over the protocol.
@Suite("Exchange over the protocol", .processes)
struct ExchangeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Requests that store something in each domain: those of all fixtures of the cases.
  private static func fixtures() throws -> String {
    let place = Program.repository + "/Protocol/cases/fixtures"
    let files = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".rpc") }.sorted()
    let texts = try files.map { try String(contentsOfFile: place + "/" + $0, encoding: .utf8) }
    let more = [
      #"{"jsonrpc":"2.0","id":1,"method":"customExercises/add","params":{"traits":{"name":"Sled / Push","kind":"strength"}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"dashboard/update","params":{"sort":"name","descending":true}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"equipment/add","params":{"name":"Stange für oben"}}"#,
    ]
    let opening = #"{"jsonrpc":"2.0","id":"#
    let requests = texts.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix(">> " + opening) }.map {
      $0.dropFirst(3)
    }
    return (requests + more.map { $0[...] }).enumerated().map { number, line in
      "\(opening)\(number)\(line.dropFirst(opening.count).drop { $0 != "," })\n"
    }.joined()
  }

  private func importing(_ params: String, into data: String) async throws -> JSONValue {
    let run = try await Program.run(["call", "data/import", "-", "--data", data], input: params)
    try #require(run.status == .exited(0), "\(run.error)")
    return try JSONValue(json: Array(run.output.utf8))
  }

  @Test("An export of every domain that a JSON library has written again is imported, and is the same")
  func writtenAgain() async throws {
    _ = try await Program.run(
      ["--no-handshake", "--clock", "2026-01-05T12:00:00Z", "--seed", "1", "--data", folder.data],
      input: try ExchangeTests.fixtures())
    let export = try await Program.run(["call", "data/export", "--data", folder.data])
    try #require(export.status == .exited(0), "\(export.error)")
    let whole = try JSONValue(json: Array(export.output.utf8))
    let collections = Set(whole["lines"]?.array.compactMap { $0["collection"]?.string } ?? [])
    #expect(collections.count >= 20, "\(collections.sorted())")
    let records = try #require(whole["records"]?.integer)
    let script = """
      import json, sys
      lines, kind = json.load(sys.stdin)["lines"], sys.argv[1]
      options = {"spaces": {}, "escapes": {"separators": (",", ":")}, "sorted": {"sort_keys": True, "ensure_ascii": False},
        "indented": {"indent": 1}}[kind]
      text = json.dumps({"lines": lines, "mode": "merge"}, **options)
      print(text.replace("/", "\\\\/") if kind == "escapes" else text)
      """
    for kind in ["spaces", "escapes", "sorted", "indented"] {
      let written = try await Program.command(
        ["/usr/bin/env", "python3", "-c", script, kind], input: export.output,
        environment: ProcessInfo.processInfo.environment)
      try #require(written.status == .exited(0), "\(written.error)")
      let same = try await importing(written.output, into: folder.data)
      #expect(same["changed"]?.boolean == false && same["refused"]?.integer == 0, "\(kind): \(same.text)")
      #expect(same["collections"]?.array.reduce(0) { $0 + ($1["same"]?.integer ?? 0) } == records, "\(kind)")
      let other = folder.path + "/" + kind
      let added = try await importing(written.output, into: other)
      #expect(added["collections"]?.array.reduce(0) { $0 + ($1["added"]?.integer ?? 0) } == records, "\(kind)")
      // What was exported is the same from there.
      let back = try await importing(
        #"{"mode":"merge","lines":\#(String(decoding: whole["lines"]?.json ?? [], as: UTF8.self))}"#, into: other)
      #expect(back["changed"]?.boolean == false, "\(kind): \(back.text)")
    }
  }

  @Test("Requests that need the whole folder wait for each other, and are answered in order of arrival")
  func inARow() async throws {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("first", "meals/add", #"{"name":"Soup","calories":350}"#)
    let weights = (1...4).map { #"{"text":"Date,Weight (kg)\n2026-01-0\#($0),80"}"# }
    var requests = weights.map { ("nutrition/import", $0) }
    requests += [
      ("backup/create", "{}"), ("data/export", "{}"), ("data/import", #"{"mode":"merge","lines":[]}"#),
      ("subscriptions/import", #"{"text":"Name,Amount,Currency,Cycle,Start\nMusic,9.99,EUR,monthly,2026-01-05"}"#),
      ("habits/import", #"{"text":"Date,Habit,Value\n2026-01-05,Read,1"}"#), ("nutrition/export", "{}"),
      ("backup/create", "{}"), ("nutrition/import", #"{"text":"Date,Weight (kg)\n2026-01-09,80"}"#),
    ]
    // All in one write.
    daybook.post(
      requests.enumerated().flatMap { daybook.frame(Daybook.request("\($0.offset)", $0.element.0, $0.element.1)) })
    var order: [String] = []
    for _ in requests {
      let answer = try #require(try await daybook.messages.take("an answer") { $0.responseID != nil })
      if case .string(let id)? = answer.responseID { order.append(id) }
      #expect(answer.errorName == nil || answer.errorName != "backupBusy", "\(answer.text)")
      if let id = order.last.flatMap({ Int($0) }), requests[id].0 == "nutrition/import" {
        #expect(answer["result"]?["added"]?.integer == 1, "\(answer.text)")
      }
    }
    // A read may overlap them.
    let expected = requests.indices.filter { requests[$0].0 != "nutrition/export" }.map { "\($0)" }
    #expect(order.filter { expected.contains($0) } == expected && order.count == requests.count)
    let list = try await daybook.call("list", "backup/list")
    #expect((list["backups"]?.array.count ?? 0) >= 7)
  }

  @Test("A waiting one can be cancelled, and one that waits for another process is refused only after its time")
  func waiting() async throws {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("first", "meals/add", #"{"name":"Soup","calories":350}"#)
    try await daybook.call("backup", "backup/create")
    // Another process keeps the backups to itself.
    let holder = try Spawned(
      ["/usr/bin/flock", folder.data + "/backups/lock", "/bin/sh", "-c", "echo held; exec cat"],
      environment: Program.environment)
    _ = FileHandle(fileDescriptor: holder.output, closeOnDealloc: false).availableData
    for number in 0..<3 {
      daybook.request("\(number)", "nutrition/import", #"{"text":"Date,Weight (kg)\n2026-01-0\#(number + 1),80"}"#)
    }
    daybook.notify("$/cancelRequest", #"{"id":"1"}"#)
    #expect(try await daybook.response("1").errorName == "requestCancelled")
    daybook.notify("$/cancelRequest", #"{"id":"0"}"#)
    #expect(try await daybook.response("0").errorName == "requestCancelled")
    Descriptor.close(holder.input)
    _ = try await holder.exitStatus()
    #expect(try await daybook.result("2")["added"]?.integer == 1)
    #expect(try await daybook.call("weights", "weights/list")["weights"]?.array.count == 1)
  }
}
