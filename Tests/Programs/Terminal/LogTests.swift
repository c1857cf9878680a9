import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("daybook log and undo", .processes)
struct LogTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], input: String = "", wrapper: [String] = []) async throws -> Finished {
    let place = ["--data", folder.data, "--clock", "2026-01-05T12:00:00Z", "--seed", "1"]
    return try await Program.run(
      place + arguments, input: input, wrapper: wrapper, environment: ["LANG": "C.UTF-8"])
  }

  private func meals() async throws -> [String] {
    let list = try await run(["call", "meals/list"])
    let meals = try JSONValue(json: Array(list.output.utf8))["meals"]?.array ?? []
    return meals.compactMap { $0["name"]?.string }.sorted()
  }

  @Test(
    "An entry is told with what is left and how to undo it",
    arguments: [
      (["porridge", "350", "@08:30"], "Meal “porridge”: 350 kcal, at 08:30  1913 kcal left today  undo: daybook undo"),
      (["lentil soup 420"], "Meal “lentil soup”: 420 kcal  1843 kcal left today  undo: daybook undo"),
      (["lentil soup", "420"], "Meal “lentil soup”: 420 kcal  1843 kcal left today  undo: daybook undo"),
      (
        ["-1", "soup", "500"], "Meal “soup”: 500 kcal, on 2026-01-04  1763 kcal left on 2026-01-04  undo: daybook undo"
      ),
      (["--day", "yesterday", "soup", "500"], "Meal “soup”: 500 kcal, on 2026-01-04"),
      (["--kind", "meal", "--", "-1", "soup", "6000"], "Meal “soup”: 6000 kcal, on 2026-01-04"),
      (["porridge", "--json", "350"], "Meal “porridge --json”: 350 kcal"),
    ])
  func entries(_ words: [String], _ told: String) async throws {
    let logged = try await run(["log"] + words)
    #expect(logged.status == .exited(0) && logged.error.isEmpty, "\(logged.error)")
    #expect(logged.output.hasPrefix(told), "\(logged.output)")
    #expect(logged.output.split(separator: "\n").count == 1)
  }

  @Test(
    "What is refused is one sentence with a remedy, and stores nothing",
    arguments: [
      (["350"], 1, "daybook: the line cannot be read as an entry; an entry is"),
      (["stew"], 1, "daybook: the energy of “stew” is not known; add it: “stew 350 kcal”\n"),
      (
        ["yesterday", "run", "30min", "exercise", "8am"], 1,
        "daybook: the energy of “run 30min exercise” is not known; add it: “2026-01-04 run 30min 350 kcal exercise 08:00”\n"
      ),
      (["exercise", "run"], 1, "daybook: the energy of “run” is not known; add it: “exercise run 350 kcal”\n"),
      (
        ["paid", "films"], 1, "daybook: no subscription is called “films”; “daybook call subscriptions/add” adds one\n"
      ),
      (["60x8"], 1, "daybook: no workout is running; “daybook call workoutSession/start” starts one\n"),
      (["porridge", "6000"], 1, "daybook: "), ([], 2, "daybook: log needs an entry"),
      (["--day", "someday", "stew", "1"], 2, "daybook: “someday” is not a day"),
      (["--kind", "stew", "stew", "1"], 1, "daybook: "),
    ])
  func refused(_ words: [String], _ status: Int, _ told: String) async throws {
    let logged = try await run(["log"] + words)
    #expect(logged.status == .exited(status) && logged.output.isEmpty)
    #expect(logged.error.hasPrefix(told), "\(logged.error)")
    #expect(try await meals() == [])
  }

  @Test("A refusal is JSON only when asked for")
  func json() async throws {
    let refused = try await run(["log", "--json", "350"])
    #expect(refused.status == .exited(1))
    #expect(try JSONValue(json: Array(refused.error.utf8))["data"]?["name"]?.string == "entryUnreadable")
    let logged = try await run(["log", "--json", "porridge", "350"])
    #expect(try JSONValue(json: Array(logged.output.utf8))["reading"]?["kind"]?.string == "meal")
  }

  @Test("A dry run stores nothing")
  func preview() async throws {
    let read = try await run(["log", "--dry-run", "porridge", "350"])
    #expect(read.status == .exited(0) && read.output == "Meal “porridge”: 350 kcal  not stored\n")
    let lacking = try await run(["log", "--dry-run", "porridge"])
    #expect(lacking.status == .exited(1) && lacking.output.contains("needs calories"), "\(lacking.output)")
    #expect(try await meals() == [])
  }

  @Test("Lines of standard input are one change, and those that cannot be read are told by number")
  func lines() async throws {
    let logged = try await run(
      ["log", "-"], input: "porridge 350\n\n  porridge 2x  \r\n350\nyesterday 🍲 soup 420 kcal\nstew\n")
    #expect(logged.status == .exited(1))
    #expect(
      logged.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
        "Meal “porridge”", "Meal “porridge”", "Meal “🍲 soup”",
      ], "\(logged.output)")
    #expect(logged.output.contains("700 kcal"))
    let told = logged.error.split(separator: "\n")
    #expect(told.count == 2)
    #expect(told.first?.hasPrefix("daybook: line 4 was not stored: ") == true, "\(logged.error)")
    #expect(told.last?.hasPrefix("daybook: line 6 was not stored: the energy of “stew” is not known") == true)
    #expect(try await meals() == ["porridge", "porridge", "🍲 soup"])
    let undone = try await run(["undo"])
    #expect(undone.output == "Undone: 3 meals deleted\n")
    #expect(try await meals() == [])
  }

  @Test("Ten thousand lines are stored, but for the one that cannot be read")
  func manyLines() async throws {
    let foods = ["porridge", "soup", "燕麦粥", "apple", "stew"]
    var lines = (0..<10_000).map {
      "\(2000 + $0 % 26)-0\(1 + $0 % 9)-\(10 + $0 % 19) \(foods[$0 % foods.count]) \(100 + $0 % 900)"
    }
    lines[6543] = "350"
    let stored = try await run(["log", "-"], input: lines.joined(separator: "\n"))
    #expect(stored.status == .exited(1))
    #expect(stored.error.hasPrefix("daybook: line 6544 was not stored: "), "\(stored.error.prefix(300))")
    #expect(stored.output.split(separator: "\n").count == 9999)
    let undone = try await run(["undo"])
    #expect(undone.output == "Undone: 9999 meals deleted\n")
  }

  @Test("Undo takes back what terminals logged, and not what “call” changed")
  func undo() async throws {
    _ = try await run(["log", "porridge", "350"])
    _ = try await run(["call", "meals/add", #"{"name":"Soup","calories":1}"#])
    let undone = try await run(["undo"])
    #expect(undone.status == .exited(0) && undone.output == "Undone: Meal “porridge”: 350 kcal\n")
    #expect(try await meals() == ["Soup"])
    let nothing = try await run(["undo"])
    #expect(nothing.status == .exited(1) && nothing.error.hasPrefix("daybook: ") && !nothing.error.contains("{"))
  }

  @Test("Two entries with the same text are two records")
  func twice() async throws {
    for _ in 0..<2 { _ = try await run(["log", "porridge", "350"]) }
    #expect(try await meals() == ["porridge", "porridge"])
  }

  @Test(
    "Lost output is 4 for a stored entry, and 0 or 3 for a page",
    arguments: [
      (["log", "porridge", "350"], "set -o pipefail; \"$@\" | true", 4),
      (["log", "porridge", "350"], "exec \"$@\" >/dev/full", 4),
      (["today"], "set -o pipefail; \"$@\" | true", 0), (["today"], "exec \"$@\" >/dev/full", 3),
      (["today"], "exec \"$@\" >&-", 3), (["habits"], "set -o pipefail; \"$@\" | head -c 10", 0),
    ])
  func lost(_ words: [String], _ shell: String, _ status: Int) async throws {
    let run = try await run(words, wrapper: ["/bin/bash", "-c", shell, "bash"])
    #expect(run.status == .exited(status), "\(run.error)")
    #expect(status != 0 || run.error.isEmpty)
  }
}
