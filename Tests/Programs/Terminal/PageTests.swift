import Foundation
import Pacing
import ProcessTesting
import Spawning
import TerminalPages
import Testing

/// Pages as terminals of several widths show them, and as pipes get them. The golden files show the escape character as
/// `␛`; after an intended change, `GOLDEN_REWRITE=1` writes them again: review the difference.
@Suite("Pages on a terminal", .processes)
struct PageTests {
  private static let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let fixtures = Program.repository + "/Protocol/cases/fixtures/"
  private static let pages = [
    "today", "day yesterday", "day 2026-01-10", "agenda 2026-01-04..2026-01-06", "meals", "weights", "habits",
    "habits --year", "subscriptions", "charges month", "workouts", "workouts Bench*press", "workouts nothing",
  ]
  /// Names that would move the cursor, reorder the line, or break it.
  private static let hostile = [
    String(repeating: "燕麦粥", count: 66), "Red\u{1B}[31m soup\u{9B}2J", "\u{202E}Reversed", "👩‍🍳 Two\nlines\tand a tab",
    "Crème brûlée",
  ]

  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var fixed: [String] { ["--data", folder.data, "--clock", "2026-01-05T12:00:00Z", "--seed", "1"] }

  /// Stores what the pages show.
  private func fill() async throws {
    for name in ["two-weights", "past-week", "habits", "subscriptions", "sessions", "workout"] {
      let lines = try String(contentsOfFile: PageTests.fixtures + name + ".rpc", encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix(">> ") }.map { $0.dropFirst(3) + "\n" }
      let stored = try await Program.run(["--no-handshake"] + fixed, input: lines.joined())
      try #require(stored.status == .exited(0) && !stored.output.contains(#""error""#), "\(name): \(stored.output)")
    }
    for (index, name) in PageTests.hostile.enumerated() {
      let text = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
      let params = #"{"name":\#(text),"calories":\#(100 + index),"time":"0\#(index + 1):30","note":\#(text)}"#
      let added = try await Program.run(["call", "meals/add", params] + fixed)
      try #require(added.status == .exited(0), "\(added.error)")
    }
    let started = try await Program.run(["call", "workoutSession/start", #"{"name":"Legs"}"#] + fixed)
    try #require(started.status == .exited(0), "\(started.error)")
  }

  /// What a command prints on a terminal of some columns.
  private func show(
    _ words: [String], columns: Int, _ environment: [String: String] = [:]
  ) async throws -> Finished {
    try await Program.run(
      words + fixed, wrapper: ["/usr/bin/env", "python3", PageTests.place.path + "/terminal.py", "\(columns)"],
      environment: ["LANG": "C.UTF-8", "TERM": "xterm"].merging(environment) { $1 })
  }

  private static func words(_ page: String) -> [String] {
    page.split(separator: " ").map { String($0.replacing("*", with: " ")) }
  }

  /// A line without the sequences of colours.
  private static func plain(_ text: Substring) -> String { String(text.replacing(/\u{1B}\[[0-9]+m/, with: "")) }

  private func check(_ shown: String, _ name: String) throws {
    let file = PageTests.place.appendingPathComponent("Golden/\(name).txt")
    let text = shown.replacing("\u{1B}", with: "␛")
    if ProcessInfo.processInfo.environment["GOLDEN_REWRITE"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8), "\(name)")
  }

  @Test("Each page is as wide as the terminal at most, and looks as it did", arguments: [40, 80, 200])
  func terminals(_ columns: Int) async throws {
    try await fill()
    var all = ""
    for page in PageTests.pages {
      let shown = try await show(PageTests.words(page), columns: columns)
      #expect(shown.status == .exited(0), "\(page): \(shown.output) \(shown.error)")
      for line in shown.output.split(separator: "\n") {
        let line = PageTests.plain(line)
        #expect(Cells.width(of: line) <= columns, "\(page): \(line)")
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(page): \(line)")
      }
      all += "$ daybook \(page)\n\(shown.output)\n"
    }
    try check(all, "\(columns)")
  }

  @Test("A pipe gets the same lines, uncut and without escapes", arguments: ["pipe", "ascii"])
  func pipes(_ kind: String) async throws {
    try await fill()
    var all = ""
    for page in PageTests.pages {
      let shown = try await Program.run(
        PageTests.words(page) + fixed + (kind == "ascii" ? ["--width", "20"] : []),
        environment: ["LANG": kind == "ascii" ? "C" : "C.UTF-8", "TERM": "xterm"])
      #expect(shown.status == .exited(0) && shown.error.isEmpty, "\(page): \(shown.error)")
      if kind == "ascii" {
        #expect(shown.output.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) }, "\(page)")
        for line in shown.output.split(separator: "\n") { #expect(line.utf8.count <= 20, "\(page): \(line)") }
      } else if page == "meals" {
        #expect(shown.output.contains(PageTests.hostile[0]), "a whole name is found in a pipe")
      }
      all += "$ daybook \(page)\n\(shown.output)\n"
    }
    try check(all, kind)
  }

  @Test(
    "Odd terminals are served",
    arguments: [(1, [:]), (400, [:]), (0, ["COLUMNS": "x"]), (30, ["TERM": ""])]
      as [(Int, [String: String])])
  func odd(_ columns: Int, _ environment: [String: String]) async throws {
    try await fill()
    let shown = try await show(["today"], columns: columns, environment)
    #expect(shown.status == .exited(0))
    let width = columns == 0 ? 80 : max(20, columns)
    for line in shown.output.split(separator: "\n") { #expect(Cells.width(of: PageTests.plain(line)) <= width) }
    #expect(shown.output.contains("\u{1B}[") == (environment["TERM"] == nil))
  }

  @Test(
    "What is not there is said, and what is wrong has a remedy",
    arguments: [
      ("today", 0, "Nothing is logged, due or planned."), ("day 2200-12-31", 0, "Wednesday 2200-12-31, in"),
      ("agenda -1", 0, "Sunday 2026-01-04, yesterday"), ("agenda year", 2, "an agenda has at most 62 days"),
      ("agenda today..-1", 2, "ends before it begins: write 2026-01-04..2026-01-05"), ("day", 2, "day needs a day"),
      ("day 2026-02-30", 2, "is not a day: use"), ("meals 2026-02-30", 2, "is not a day or a range: use"),
      ("week", 2, "did you mean “agenda week”?"), ("yesterday", 2, "did you mean “day yesterday”?"),
      ("today tomorrow", 2, "takes no words"), ("weights --width x", 2, "--width takes a number of columns"),
      ("weights --color blue", 2, "--color is auto, always or never"), ("weights --kind meal", 2, "--kind"),
      ("weights", 0, "There are no weights from 2025-12-07 to 2026-01-05."),
      ("weights --day 2025-12-31 month", 0, "There are no weights from 2025-12-01 to 2025-12-31."),
      ("meals week", 0, "There are no meals from 2026-01-05 to 2026-01-11."), ("habits", 0, "There are no habits yet"),
      ("habits --year", 0, "There are no habits yet"), ("workouts --json", 0, #"{"sessions":[],"#),
    ])
  func empty(_ page: String, _ status: Int, _ told: String) async throws {
    let shown = try await Program.run(PageTests.words(page) + fixed, environment: ["LANG": "C.UTF-8"])
    #expect(shown.status == .exited(status))
    #expect((shown.output + shown.error).contains(told), "\(shown.output)\(shown.error)")
    #expect(status == 0 ? shown.error.isEmpty : shown.output.isEmpty)
  }

  @Test("A named folder that does not exist is told, and not made")
  func missing() async throws {
    let shown = try await Program.run(["today", "--data", folder.data], environment: ["LANG": "C.UTF-8"])
    #expect(shown.status == .exited(0) && shown.output.contains("today"))
    #expect(shown.error == "daybook: \(folder.data) does not exist, so nothing is stored there yet\n")
    #expect(!FileManager.default.fileExists(atPath: folder.data))
  }

  @Test("Ten thousand meals of a day are ten thousand lines")
  func many() async throws {
    let requests = (0..<10_000).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"meals/add","params":{"name":"Meal \#($0)","calories":1}}"# + "\n"
    }
    _ = try await Program.run(["--no-handshake"] + fixed, input: requests.joined())
    let shown = try await Program.run(["today", "--width", "40"] + fixed, environment: ["LANG": "C.UTF-8"])
    #expect(shown.output.split(separator: "\n").count { $0.hasPrefix("  ✓") } == 10_000)
  }
}
