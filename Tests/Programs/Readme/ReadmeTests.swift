import Foundation
import Pacing
import ProcessTesting
import Testing

/// Runs everything the README shows, as shown.
@Suite(.processes)
struct ReadmeTests {
  private let readme: Readme
  private let folder: URL

  init() throws {
    readme = try Readme()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-readme-\(UUID().uuidString)")
  }

  /// The options that make answers deterministic.
  private var fixed: [String] { ["--data", folder.path, "--clock", "2026-01-05T12:00:00Z", "--seed", "1"] }

  @Test("The call that logs a meal gives the day shown")
  func calls() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let commands = try #require(readme.blocks("sh").dropFirst().first).lines
    #expect(commands.count == 2)
    let add = try #require(commands.first)
    let params = try #require(add.components(separatedBy: "'").dropFirst().first)
    let added = try await Outcome.of("daybook", ["call", "meals/add", params] + fixed, folder: folder)
    #expect(added.status == 0, "\(added.errors)")
    let today = try await Outcome.of("daybook", ["call", "days/get"] + fixed, folder: folder)
    #expect(today.output == readme.blocks("json").first.map { $0.text + "\n" })
  }

  @Test("The session in newline framing gives the messages shown")
  func session() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lines = try #require(readme.blocks("text").first).lines
    let sent = lines.filter { $0.hasPrefix("→ ") }.map { $0.dropFirst(2) + "\n" }.joined()
    let received = lines.filter { $0.hasPrefix("← ") }.map { $0.dropFirst(2) + "\n" }.joined()
    let outcome = try await Outcome.of("daybook", fixed, folder: folder, input: sent)
    // The start-up reports arrive at varying times.
    let told = outcome.output.components(separatedBy: "\n").filter { !$0.contains(#""method":"startup"#) }
    #expect(told.joined(separator: "\n") == received)
    #expect(outcome.status == 0)
  }

  @Test("The exchanges about a habit and a workout give the messages shown", arguments: [2, 3])
  func exchange(block: Int) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lines = try #require(readme.blocks("text").dropFirst(block).first).lines
    let sent = lines.filter { $0.hasPrefix("→ ") }.map { $0.dropFirst(2) + "\n" }.joined()
    let received = lines.filter { $0.hasPrefix("← ") }.map { $0.dropFirst(2) + "\n" }.joined()
    let outcome = try await Outcome.of("daybook", fixed + ["--no-handshake"], folder: folder, input: sent)
    #expect(outcome.output == received, "\(outcome.errors)")
    #expect(outcome.status == 0)
  }

  @Test("The exchange in header blocks gives the messages shown")
  func headers() async throws {
    let lines = try #require(readme.blocks("text").dropFirst().first).lines
    func bytes(_ arrow: String) -> String {
      lines.filter { $0.hasPrefix(arrow) }.map { $0.dropFirst(1).drop { $0 == " " } }.joined(separator: "\r\n")
    }
    let outcome = try await Outcome.of("daybook", fixed + ["--no-handshake"], folder: folder, input: bytes("→"))
    #expect(outcome.output == bytes("←"))
    try? FileManager.default.removeItem(at: folder)
  }

  @Test("The Python quick start is the file in Clients, and works")
  func python() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = Readme.root.appendingPathComponent("Clients/Python/quickstart.py")
    #expect(try String(contentsOf: file, encoding: .utf8) == readme.blocks("python").first.map { $0.text + "\n" })
    let outcome = try await Outcome.of("python3", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("Ahead by 1913 kcal\n"))
  }

  @Test("The shell quick start is the file in Clients, and works")
  func shell() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = Readme.root.appendingPathComponent("Clients/Shell/quickstart.sh")
    #expect(try String(contentsOf: file, encoding: .utf8) == readme.blocks("sh").last.map { $0.text + "\n" })
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(#""text":"Ahead by 1493 kcal""#))
    #expect(outcome.output.contains("Lentil soup"))
  }

  @Test("The month of a shell script gives the expected expenditure")
  func month() async throws {
    let file = Readme.root.appendingPathComponent("Clients/Shell/month.sh")
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    // 31 days, one of them not logged.
    #expect(outcome.output.contains(#""daysWithData":30"#))
    // Water swings alone can move a month's trend that much.
    #expect(outcome.output.contains(#""confidence":"low""#))
  }

  @Test("The subscriptions of a shell script give the expected totals")
  func subscriptions() async throws {
    let file = Readme.root.appendingPathComponent("Clients/Shell/subscriptions.sh")
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    let months = outcome.output.split(separator: "\n").filter { $0.contains("Films") }
    #expect(
      months.map { String($0.suffix(11).prefix(10)) } == [
        "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30",
      ])
    #expect(outcome.output.contains("\"amount\":\"209.30\"\t  \"currency\":\"EUR\""))
    #expect(outcome.output.contains("\"amount\":\"17.16\"\t  \"currency\":\"USD\""))
  }

  @Test("The habits of a shell script give the expected states")
  func habits() async throws {
    let file = Readme.root.appendingPathComponent("Clients/Shell/habits.sh")
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    #expect(outcome.output.contains("Read: open, 0 of 4, streak 0"))
    #expect(outcome.output.contains("Read: done, 4 of 4, streak 1"))
    #expect(outcome.output.contains("Drink: done, 2000 of 2000, streak 1"))
    #expect(outcome.output.contains("No cigarettes: missed, 1 of 1, streak 0"))
    #expect(outcome.output.contains("\"longest\":5"))
  }

  @Test("The workout of a shell script continues across processes, and sets records the second time")
  func workout() async throws {
    let file = Readme.root.appendingPathComponent("Clients/Shell/workout.sh")
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    let steps = outcome.output.components(separatedBy: "\n").filter { $0.hasPrefix("  next: ") }
    #expect(
      steps.map { $0.dropFirst(8) } == [
        "Bench Press, set 1 of 2", "Barbell Row, set 1 of 3", "Bench Press, set 2 of 2", "Barbell Row, set 2 of 3",
        "Barbell Row, set 3 of 3",
      ])
    #expect(outcome.output.contains("Monday is already running"))
    #expect(outcome.output.contains("\"sets\":5\n  \"volume\":\"2355\""))
    #expect(outcome.output.contains("Bench Press: 70 kg"))
  }

  @Test("A habit takes its value from a day measure as shown")
  func habitCommands() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let commands = try #require(readme.blocks("console").dropFirst(2).first).lines.map {
      $0.components(separatedBy: "'")
    }
    #expect(commands.count == 3)
    for command in commands {
      let method = try #require(command[0].split(separator: " ").last)
      let outcome = try await Outcome.of("daybook", ["call", String(method), command[1]] + fixed, folder: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      if method == "dashboard/get" {
        #expect(
          outcome.output.contains(
            #""value":"2000","origin":"measured","target":"2000","progress":100,"completed":true,"state":"done""#))
      }
    }
  }

  @Test("Subscriptions are added and read as shown")
  func subscriptionCommands() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let block = try #require(readme.blocks("console").dropFirst().first)
    let commands = block.lines.map { line in
      let parts = line.components(separatedBy: "'")
      let words = parts[0].split(separator: " ").dropFirst(2).map(String.init)
      return words + (parts.count > 1 ? [parts[1]] : [])
    }
    #expect(commands.count == 5)
    var outcomes: [Outcome] = []
    for command in commands.dropLast() {
      outcomes.append(try await Outcome.of("daybook", ["call"] + command + fixed, folder: folder))
    }
    for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.errors)") }
    #expect(outcomes[1].output.contains(#""day":"2026-02-28""#))
    #expect(outcomes[2].output.contains(#""monthly":[{"amount":"15.49","currency":"EUR"}]"#))
    #expect(outcomes[3].output.contains(#""amount":"1234.56","currency":"EUR""#))
    // The file does not exist, which is reported.
    let last = try #require(commands.last)
    let refused = try await Outcome.of("daybook", ["call"] + last + fixed, folder: folder)
    #expect(refused.errors.contains("fileUnusable"))
  }

  @Test("The estimator is enabled as shown")
  func estimator() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    func run(_ method: String, _ params: String) async throws -> Outcome {
      try await Outcome.of("daybook", ["call", method, params] + fixed, folder: folder)
    }
    let commands = try #require(readme.blocks("console").first).lines.map { $0.components(separatedBy: "'") }
    #expect(
      commands.map { $0[0] } == ["estimator/configure", "secrets/set", "meals/estimate"].map { "daybook call \($0) " })
    let configured = try await run("estimator/configure", commands[0][1])
    #expect(configured.output.hasPrefix(#"{"state":"ready","needs":[],"enabled":true"#), "\(configured.errors)")
    #expect(try await run("secrets/set", commands[1][1]).output.contains(#""stored":true"#))
    // A server that may listen there must not affect the test.
    #expect(try await run("estimator/configure", #"{"enabled": false}"#).status == 0)
    #expect(try await run("meals/estimate", commands[2][1]).errors.contains("estimatorNotConfigured"))
  }

  @Test("The two commands build the named products")
  func twoCommands() async throws {
    let lines = try #require(readme.blocks("sh").first).lines.map {
      $0.split(separator: "#")[0].trimmingCharacters(in: .whitespaces)
    }
    #expect(lines == ["swift run -c release daybook call days/get", "swift test"])
    let outcome = try await Outcome.of("daybook", ["call", "days/get"], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path), "reading must not make the folder")
  }
}
