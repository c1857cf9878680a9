import Foundation
import Pacing
import ProcessTesting
import Testing

/// Runs everything that the documents show, as shown.
@Suite(.processes)
struct ReadmeTests {
  private let folder: URL

  init() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-readme-\(UUID().uuidString)")
  }

  /// The options that make answers deterministic.
  private var fixed: [String] { ["--data", folder.path, "--clock", "2026-01-05T12:00:00Z", "--seed", "1"] }

  @Test("The call that logs a meal gives the day shown")
  func calls() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = try Page("Clients/README.md")
    let commands = try #require(page.blocks("sh").first).lines
    #expect(commands.count == 2)
    let add = try #require(commands.first)
    let params = try #require(add.components(separatedBy: "'").dropFirst().first)
    let added = try await Outcome.of("daybook", ["call", "meals/add", params] + fixed, folder: folder)
    #expect(added.status == 0, "\(added.errors)")
    let today = try await Outcome.of("daybook", ["call", "days/get"] + fixed, folder: folder)
    #expect(today.output == page.blocks("json").first.map { $0.text + "\n" })
  }

  @Test("The commands at a terminal print what the first page shows")
  func terminal() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let block = try #require(try Page("README.md").blocks("console").first)
    #expect(block.lines.count <= 15)
    let prompt = "$ daybook "
    var printed: [String] = []
    for (number, line) in block.lines.filter({ $0.hasPrefix(prompt) }).enumerated() {
      let place = ["--data", folder.path, "--clock", "2026-01-05T12:00:00Z", "--seed", "\(number)"]
      let words = line.dropFirst(prompt.count).split(separator: " ").map(String.init)
      let outcome = try await Outcome.of("LC_ALL=C.UTF-8", ["daybook"] + place + words, folder: folder)
      #expect(outcome.status == 0, "\(line): \(outcome.errors)")
      printed +=
        [line] + outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
    #expect(printed == block.lines)
  }

  @Test("Each exchange shown gives the messages shown", arguments: Page.all)
  func exchanges(path: String) async throws {
    for block in try Page(path).blocks("text") {
      let (sent, received) = (block.lines("→"), block.lines("←"))
      #expect(sent.count + received.count == block.lines.count, "\(path) shows something else")
      let first = try #require(sent.first, "\(path) shows an exchange in which nothing is sent")
      let isInHeaders = first.hasPrefix("Content-Length")
      let options = first.contains(#""method":"initialize""#) ? [] : ["--no-handshake"]
      let own = folder.appendingPathComponent(UUID().uuidString)
      let place = ["--data", own.path] + fixed.dropFirst(2)
      let input = isInHeaders ? sent.joined(separator: "\r\n") : sent.map { $0 + "\n" }.joined()
      let outcome = try await Outcome.of("daybook", place + options, folder: own, input: input)
      // Only a script, which writes lines, may end without “exit”.
      #expect(outcome.status == (isInHeaders ? 1 : 0), "\(path): \(outcome.errors)")
      // The start-up reports arrive at varying times.
      let told = outcome.output.components(separatedBy: "\n").filter { !$0.contains(#""method":"startup"#) }
      let expected = isInHeaders ? received.joined(separator: "\r\n") : received.map { $0 + "\n" }.joined()
      #expect(told.joined(separator: "\n") == expected, "\(path)")
    }
    try? FileManager.default.removeItem(at: folder)
  }

  @Test("The page of clients and the guides show the exchanges that they are about")
  func exchangesAreShown() throws {
    #expect(Page.all.count == 9)
    let exchange = try #require(try Page("Clients/README.md").blocks("text").first)
    #expect(exchange.lines.count <= 15)
    #expect(exchange.text.contains("mealsChanged"))
    let session = try Page("Protocol/guide/session.md").blocks("text")
    #expect(session.count == 2)
    #expect(session.first?.text.contains(#""method":"initialize""#) == true)
    #expect(session.last?.text.contains("Content-Length") == true)
    #expect(try Page("Protocol/guide/habits.md").blocks("text").count == 1)
    #expect(try Page("Protocol/guide/training.md").blocks("text").count == 1)
  }

  @Test("The service understands each call that a document names", arguments: Page.all)
  func calls(path: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for match in try Page(path).text.matches(of: /daybook call ([a-zA-Z]+\/[a-zA-Z]+)(?: '([^']*)')?/) {
      // Each in a folder of its own: an estimator that an earlier one enabled must not be asked.
      let own = folder.appendingPathComponent(UUID().uuidString)
      let call = ["call", String(match.1)] + (match.2.map { [String($0)] } ?? [])
      let outcome = try await Outcome.of(
        "daybook", call + ["--data", own.path] + fixed.dropFirst(2), folder: own)
      // A file or a record that it names may be missing.
      #expect(outcome.status <= 1, "\(path): \(match.0): \(outcome.errors)")
      #expect(!outcome.errors.contains("invalidParams"), "\(path): \(match.0): \(outcome.errors)")
      #expect(!outcome.errors.contains("methodNotFound"), "\(path): \(match.0): \(outcome.errors)")
    }
  }

  @Test("The Python quick start is the file in Clients, and works")
  func python() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = Page.root.appendingPathComponent("Clients/Python/quickstart.py")
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == Page("Clients/README.md").blocks("python").first.map { $0.text + "\n" })
    let outcome = try await Outcome.of("python3", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("Ahead by 1913 kcal\n"))
  }

  @Test("The shell quick start is the file in Clients, and works")
  func shell() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = Page.root.appendingPathComponent("Clients/Shell/quickstart.sh")
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == Page("Clients/README.md").blocks("sh").last.map { $0.text + "\n" })
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(#""text":"Ahead by 1493 kcal""#))
    #expect(outcome.output.contains("Lentil soup"))
  }

  @Test("The month of a shell script gives the expected expenditure")
  func month() async throws {
    let file = Page.root.appendingPathComponent("Clients/Shell/month.sh")
    let outcome = try await Outcome.of("sh", [file.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    // 31 days, one of them not logged.
    #expect(outcome.output.contains(#""daysWithData":30"#))
    // Water swings alone can move a month's trend that much.
    #expect(outcome.output.contains(#""confidence":"low""#))
  }

  @Test("The subscriptions of a shell script give the expected totals")
  func subscriptions() async throws {
    let file = Page.root.appendingPathComponent("Clients/Shell/subscriptions.sh")
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
    let file = Page.root.appendingPathComponent("Clients/Shell/habits.sh")
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
    let file = Page.root.appendingPathComponent("Clients/Shell/workout.sh")
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
    let commands = try #require(Page("Protocol/guide/habits.md").blocks("console").first).lines.map {
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
    let block = try #require(Page("Protocol/guide/subscriptions.md").blocks("console").first)
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
    let commands = try #require(Page("Protocol/guide/meals.md").blocks("console").first).lines.map {
      $0.components(separatedBy: "'")
    }
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
    let lines = try #require(Page("README.md").blocks("sh").first).lines.map {
      $0.split(separator: "#")[0].trimmingCharacters(in: .whitespaces)
    }
    #expect(lines == ["swift run -c release daybook call days/get", "swift test"])
    let outcome = try await Outcome.of("daybook", ["call", "days/get"], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path), "reading must not make the folder")
  }
}
