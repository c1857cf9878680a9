import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@testable import DaybookCommand

@Suite("daybook call, by words", .processes)
struct CallShapeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func call(_ words: String...) async throws -> Finished {
    try await Program.run(["call"] + words + ["--data", folder.data, "--clock", "2026-01-05T12:00:00Z"])
  }

  @Test("Values are read by the types of the method")
  func values() async throws {
    let added = try await call(
      "meals/add", "name=350", "calories=350", "protein=12.5", "day=yesterday", #"nutrients:={"fibre":"4"}"#)
    #expect(added.status == .exited(0), "\(added.error)")
    let meal = try JSONValue(json: Array(added.output.utf8))["meal"]
    #expect(meal?["name"]?.string == "350" && meal?["calories"]?.integer == 350 && meal?["protein"]?.string == "12.5")
    #expect(meal?["day"]?.string == "2026-01-04" && meal?["nutrients"]?["fibre"]?.string == "4")
  }

  @Test("A repeated name adds to an array; values of closed types are split at commas")
  func arrays() throws {
    let description = ProtocolDescription()
    let words = ["tags=a,b", "tags=c", "reminderDays=1,3"]
    let method = description.method("subscriptions/add")
    let object = try #require(CallParams(words)).object(for: method, description) { _ in nil }
    #expect(object["tags"] == .array([.string("a,b"), .string("c")]))
    #expect(String(decoding: JSONValue.object(object).json, as: UTF8.self).contains("[1,3]"))
    let value = try #require(CallParams(["allowFuture=yes", "value=3"]))
      .object(for: description.method("habitLogs/setValue"), description) { _ in nil }
    #expect(value["allowFuture"] == .bool(true))
  }

  @Test(
    "Wrong words are status 2",
    arguments: [
      (["habits/add", "schedule=daily"], "schedule:='{\"kind\":\"daily\"}'"), (["meals/add", "name:={"], "not JSON"),
      (["meals/add", "name=a", "name=b"], "twice"), (["meals/add", "name=a", "{}"], "KEY=VALUE"),
      (["meals/add", "--pretty", "--compact"], "exclude"),
    ])
  func usage(_ words: [String], _ expected: String) async throws {
    let refused = try await Program.run(["call"] + words + ["--data", folder.data])
    #expect(refused.status == .exited(2) && refused.error.contains(expected), "\(refused.error)")
  }

  @Test(
    "A refusal teaches the shape",
    arguments: [
      (["habitLogs/setValue"], ["habitId", "an id (UUID)", "value", "are missing"]),
      (["meals/add"], ["“name” (a text of 1 to 200 characters) is missing"]),
      (
        ["habits/add", #"{"name":"Read","schedule":"daily"}"#],
        ["expected an object with kind (one of daily", #"such as {\"kind\":\"daily\"}"#]
      ),
      (["subscriptions/add", "name=Films", "amount=3", "currency=€"], ["did you mean “EUR”", "ISO 4217"]),
      (["subscriptions/add", "name=Films", "price=9.99"], ["did you mean “amount”"]),
      (["undo"], ["changes/undo"]), (["weight"], ["weights/add"]), (["log"], ["entries/log"]),
      (["xyzzy"], ["rpc.discover"]),
    ])
  func shape(_ words: [String], _ expected: [String]) async throws {
    let refused = try await Program.run(["call"] + words + ["--data", folder.data])
    #expect(refused.status == .exited(1))
    for text in expected { #expect(refused.error.contains(text), "\(refused.error)") }
    #expect(refused.error.split(separator: "\n").count == 1 && !refused.error.contains("prices"))
  }

  @Test("A path may be relative or begin with ~/")
  func paths() async throws {
    let home = folder.data + "-home"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    _ = try await call("meals/add", "name=Soup", "calories=250")
    let words = ["call", "data/export", "path=~/all.jsonl", "--data", folder.data]
    let written = try await Program.run(words, environment: ["HOME": home])
    #expect(written.status == .exited(0), "\(written.error)")
    #expect(FileManager.default.fileExists(atPath: home + "/all.jsonl"))
    let params = CallParams.locating(JSONObject([("path", .string("a/b.jsonl"))]))
    #expect(params["path"] == .string(FileManager.default.currentDirectoryPath + "/a/b.jsonl"))
    #expect(CallParams.locating(JSONObject([("path", .string("/x"))]))["path"] == .string("/x"))
  }

  @Test("JSON is one line in a pipe, unless --pretty")
  func layout() async throws {
    _ = try await call("meals/add", "name=Soup", "calories=250")
    let line = try await call("meals/list")
    #expect(line.output.split(separator: "\n").count == 1)
    let pretty = try await call("meals/list", "--pretty")
    #expect(pretty.output.contains("\n  \"meals\": [\n"))
    #expect(try JSONValue(json: Array(pretty.output.utf8)) == JSONValue(json: Array(line.output.utf8)))
  }

  @Test("On a terminal JSON is indented and harmless, and the help is as wide as the terminal")
  func terminal() async throws {
    let script = "/usr/bin/script"
    guard FileManager.default.isExecutableFile(atPath: script) else {
      return print("skipped: there is no “script” here")
    }
    _ = try await call("meals/add", "name=a\u{9B}31mb\u{202E}", "calories=250")
    let daybook = "\(try Program.path()) --data \(folder.data) --clock 2026-01-05T12:00:00Z"
    let command =
      "stty cols 40; \(daybook) call meals/list; \(daybook) call meals/list --compact; \(daybook) help import"
    let run = try await Program.command([script, "-qec", command, "/dev/null"])
    #expect(run.output.contains("{\r\n  \"meals\": [\r\n"), "\(run.output)")
    #expect(run.output.contains(#"{"meals":[{"id":"#) && run.output.contains(#""a\u009b31mb\u202e""#))
    #expect(!run.output.unicodeScalars.contains { $0.value == 0x9B || $0.value == 0x202E || $0.value == 0x1B })
    let help = try #require(run.output.range(of: "daybook import: ")).lowerBound
    let lines = run.output[help...].replacing("\r\n", with: "\n").split(separator: "\n")
    #expect(lines.count > 20 && lines.allSatisfy { $0.count <= 40 }, "\(lines)")
  }

  @Test("What acts on a terminal is escaped in JSON for one")
  func escapes() throws {
    let text = "\"a\u{9B}31m\u{202E}b\u{7F}é🍲\""
    #expect(text.escapedForTerminals == #""a\u009b31m\u202eb\u007fé🍲""#)
    #expect(try JSONValue(json: Array(text.escapedForTerminals.utf8)) == JSONValue(json: Array(text.utf8)))
  }

  @Test(
    "The help on a method has its params, limits, an example, errors and events",
    arguments: [["help", "meals/add"], ["call", "meals/add", "--help"]])
  func help(_ words: [String]) async throws {
    let help = try await Program.run(words)
    #expect(help.status == .exited(0), "\(help.error)")
    for text in [
      "required; a text of 1 to 200 characters", "daybook call meals/add name=VALUE", "storeBusy", "Call again later",
      "mealsChanged", "one of breakfast, lunch", "MEMBERS OF nutrients",
    ] { #expect(help.output.contains(text), "\(text)") }
  }

  @Test("Methods are found by words of their names and texts")
  func methods() async throws {
    let found = try await Program.run(["methods", "favourite", "food"])
    #expect(
      found.status == .exited(0) && found.output.contains("foods/setFavourite") && !found.output.contains("water/"))
    #expect(try await Program.run(["methods", "xyzzy"]).status == .exited(1))
    let unknown = try await Program.run(["help", "meals/ad"])
    #expect(unknown.status == .exited(2) && unknown.error.contains("meals/add"))
  }

  @Test("Every text of three characters in the protocol is a currency")
  func currencies() throws {
    let description = ProtocolDescription()
    let members = description.methods.flatMap(\.params).filter {
      let schema = description.resolved($0.schema)
      return schema["minLength"]?.integer == 3 && schema["maxLength"]?.integer == 3
    }
    #expect(members.count > 5)
    for member in members {
      #expect(
        ["currency", "base", "to"].contains(member.name) && member.text.contains(/urrency|4217/), "\(member.name)")
    }
  }
}
