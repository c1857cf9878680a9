import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("daybook call", .processes)
struct CallTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func call(_ arguments: String..., input: String = "") async throws -> Finished {
    try await Program.run(["call"] + arguments + ["--data", folder.data], input: input)
  }

  @Test("A result is one line of JSON on standard output, with status 0")
  func result() async throws {
    let added = try await call("meals/add", #"{"name":"Soup","calories":250}"#)
    #expect(added.status == .exited(0) && added.error.isEmpty)
    #expect(added.output.hasSuffix("}\n") && added.output.split(separator: "\n").count == 1)
    #expect(try JSONValue(json: Array(added.output.utf8))["meal"]?["name"]?.string == "Soup")
    let list = try await Program.run(["--data", folder.data, "call", "meals/list"])
    #expect(list.status == .exited(0) && list.output.contains("Soup"))
  }

  @Test("Params come from standard input too")
  func standardInput() async throws {
    let name = String(repeating: "🍲", count: 200)
    let added = try await call("meals/add", "-", input: "  {\"name\":\"\(name)\",\"calories\":1}\n")
    #expect(added.status == .exited(0))
    #expect(added.output.contains(name))
  }

  @Test(
    "A refusal is one line of JSON on standard error, with status 1",
    arguments: [
      (["meals/ad", "{}"], "methodNotFound"), (["exit"], "methodNotFound"), (["-"], "methodNotFound"),
      (["meals/add", "{}"], "invalidParams"), (["meals/add", #"{"name":"\n","calories":1}"#], "invalidParams"),
      (["meals/get", #"{"id":"x"}"#], "invalidParams"), (["days/get", #"{"day":"2026-02-30"}"#], "invalidParams"),
      (["meals/delete", #"{"id":"00000000-0000-4000-8000-000000000000"}"#], "notFound"),
      (["initialize"], "invalidRequest"), (["changes/since", #"{"revision":7}"#], "revisionTooOld"),
    ])
  func refused(_ arguments: [String], _ name: String) async throws {
    let call = try await Program.run(["call"] + arguments + ["--data", folder.data])
    #expect(call.status == .exited(1) && call.output.isEmpty)
    let error = try JSONValue(json: Array(call.error.utf8))
    #expect(error["data"]?["name"]?.string == name)
    #expect(error["message"]?.string?.isEmpty == false && error["code"]?.integer != nil)
  }

  @Test(
    "Wrong usage is status 2, with a way out",
    arguments: [
      ["call"], ["call", "days/get", "{", "--data", "x"], ["call", "days/get", "[]", "--data", "x"],
      ["call", "days/get", "", "--data", "x"], ["call", "days/get", "{}", "{}"], ["call", "days/get", "--data"],
      ["call", "days/get", "--data", ""], ["cal"], ["serve", "x"], ["--framing", "x"], ["watch", "mealz"],
      ["help", "x"], ["--frobnicate"], ["call", "days/get"],
    ])
  func usage(_ arguments: [String]) async throws {
    var environment = ["HOME": ""]
    environment["DAYBOOK_HOME"] = ""
    let call = try await Program.run(arguments, environment: environment)
    #expect(call.status == .exited(2) && call.output.isEmpty)
    #expect(call.error.hasPrefix("daybook: ") && call.error.contains("daybook --help"))
  }

  @Test("An unread result is status 3", arguments: [true, false])
  func notTaken(_ closesOutput: Bool) async throws {
    let call =
      closesOutput
      ? try await Program.run(["call", "days/get", "--data", folder.data], closing: [1])
      : try await Program.run(
        ["call", "days/get", "--data", folder.data], wrapper: ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"])
    #expect(call.status == .exited(3))
  }

  @Test(
    "A stored change whose result cannot be printed is status 4, with its revision, so that no script repeats it",
    arguments: ["exec \"$@\" >/dev/full", "exec \"$@\" >&-", "set -o pipefail; \"$@\" | true"])
  func storedButUnanswered(_ shell: String) async throws {
    func call(_ method: String, _ params: String = "{}") async throws -> Finished {
      try await Program.run(
        ["call", method, params, "--data", folder.data], wrapper: ["/bin/bash", "-c", shell, "bash"])
    }
    let added = try await call("meals/add", #"{"name":"Soup","calories":250}"#)
    #expect(added.status == .exited(4))
    #expect(added.error == "daybook: stored as revision 1; the answer could not be written\n")
    let undone = try await call("changes/undo")
    #expect(undone.status == .exited(4) && undone.error.contains("stored as revision 2"))
    let refused = try await call("meals/add")
    #expect(refused.status == .exited(1))
    // Nothing is stored by these.
    let preview = try await call("data/import", #"{"mode":"preview","lines":[]}"#)
    let read = try await call("days/get")
    #expect(preview.status == .exited(3) && read.status == .exited(3))
    let backup = try await call("backup/create")
    #expect(backup.status == .exited(4) && backup.error.contains("was carried out"))
    #expect(try await self.call("changes/since", #"{"revision":2}"#).output.contains(#""revision":2"#))
  }

  @Test(
    "Commands that have done something tell so when they cannot print it", arguments: ["backup", "import", "doctor"])
  func doneButUnprinted(_ command: String) async throws {
    func run(_ arguments: [String], _ shell: String = "exec \"$@\" >/dev/full") async throws -> Finished {
      try await Program.run(
        arguments + ["--data", folder.data], wrapper: ["/bin/sh", "-c", shell, "sh"])
    }
    _ = try await call("meals/add", #"{"name":"Soup","calories":250}"#)
    let finished: Finished
    let expected: String
    switch command {
    case "backup": (finished, expected) = (try await run(["backup", "create"]), "was made")
    case "import":
      let text = try await Program.run(["export", "-", "--data", folder.data]).output
      let file = folder.path + "/export.jsonl"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let undone = try await call("changes/undo")
      #expect(undone.status == .exited(0))
      (finished, expected) = (try await run(["import", file]), "stored as revision 3")
    default:
      try FileManager.default.removeItem(atPath: folder.data + "/store.json")
      (finished, expected) = (try await run(["doctor", "--repair"]), "the repair was carried out")
    }
    #expect(finished.status == .exited(4), "\(finished.error)")
    #expect(finished.error.contains(expected) && finished.error.contains("could not be written"), "\(finished.error)")
  }

  @Test("A large result is printed completely")
  func large() async throws {
    let discovered = try await call("rpc.discover")
    #expect(try JSONValue(json: Array(discovered.output.utf8))["openrpc"] != nil)
  }

  @Test(
    "Help and version go to standard output, with status 0",
    arguments: [
      (["--help"], "USAGE"), (["-h"], "USAGE"), (["help"], "USAGE"), (["help", "call"], "daybook call METHOD"),
      (["call", "--help"], "daybook call METHOD"), (["--help", "watch"], "daybook watch"),
      (["serve", "--help"], "Content-Length"), (["--version"], "daybook 0."), (["call", "--version"], "daybook 0."),
      (["--help"], "--store-of-record"), (["--help"], "--force-onboarding"), (["--help"], "flags.json"),
      (["--help"], "premium.json"), (["--help"], "reminders.json"), (["--help"], "secrets.json"), (["--help"], "logs/"),
      (["--help"], "--http-carrier"), (["help", "call"], "stored as revision N"), (["help", "import"], "4 "),
      (["--help"], "estimator.json"), (["--help"], "DAYBOOK_ESTIMATOR_KEY"),
    ])
  func help(_ arguments: [String], _ expected: String) async throws {
    let help = try await Program.run(arguments)
    #expect(help.status == .exited(0) && help.error.isEmpty)
    #expect(help.output.contains(expected))
  }

  @Test(
    "A typing error gets a suggestion",
    arguments: [(["cal", "x"], "call"), (["wacth"], "watch"), (["--dta=x"], "--data"), (["watch", "meal"], "meals")])
  func hints(_ arguments: [String], _ hint: String) async throws {
    #expect(try await Program.run(arguments).error.contains("did you mean"))
    #expect(try await Program.run(arguments).error.contains(hint))
  }
}
