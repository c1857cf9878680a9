import Foundation
import Testing

@testable import DaybookCommand

@Suite("The description of the commands")
struct CommandTableTests {
  @Test("Every option that the parser knows by itself is described, and every described one is parsed")
  func options() throws {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    let path = root.appendingPathComponent("Sources/Programs/Command/Arguments.swift")
    let source = try String(contentsOf: path, encoding: .utf8)
    let parsed = source.matches(of: /case ("--?[^:]*):/).flatMap {
      $0.1.matches(of: /"(--?[A-Za-z-]+)"/).map { String($0.1) }
    }
    #expect(parsed.count > 10)
    for name in parsed where name != "--without-digests" { #expect(OptionTable.named(name) != nil, "\(name)") }
    let values = ["--framing": "newline", "--clock": "2026-01-05T12:00:00Z", "--seed": "1", "--log-level": "info"]
    for option in OptionTable.all {
      let words = [option.name] + (option.value == nil ? [] : [values[option.name] ?? "x"])
      #expect(throws: Never.self, "\(option.name)") { try Arguments(words) }
    }
  }

  @Test(
    "A command has a sentence, a form, an example, statuses, and options that exist",
    arguments: CommandTable.all.map(\.name))
  func entries(_ name: String) throws {
    let command = try #require(CommandTable.named(name))
    #expect(!command.sentence.isEmpty && !command.sentence.hasSuffix("."))
    #expect(!command.synopsis.isEmpty && command.synopsis.allSatisfy { $0.contains(name) })
    #expect(command.isHidden || !command.examples.isEmpty && command.statuses.contains { $0.status == 0 })
    for option in command.options {
      let entry = try #require(OptionTable.named(option), "\(option)")
      #expect(entry.reach == .named, "\(option) belongs to every command")
    }
  }

  @Test("Every option is one of a command, or of all")
  func reach() {
    let used = Set(CommandTable.all.flatMap(\.options))
    for option in OptionTable.all { #expect((option.reach == .named) == used.contains(option.name), "\(option.name)") }
  }

  @Test("The help, each topic, the manual page and the completions name every command and every option of it")
  func complete() {
    let scripts = Shell.allCases.map { ($0.rawValue, CompletionScript(shell: $0).text) }
    let manual = ManualPage.text
    for command in CommandTable.shown {
      #expect(HelpTexts.general().contains(command.name), "\(command.name)")
      #expect(manual.contains(".SS \(command.name)\n"), "\(command.name)")
      for (shell, script) in scripts { #expect(script.contains(command.name), "\(shell): \(command.name)") }
      let topic = HelpTexts.topic(command)
      for option in HelpTexts.options(of: command) {
        #expect(topic.contains(option.name), "\(command.name): \(option.name)")
        #expect(manual.contains(option.name.replacing("-", with: "\\-")), "\(option.name)")
        let word = option.name.dropFirst(2)
        for (shell, script) in scripts { #expect(script.contains(word), "\(shell): \(option.name)") }
      }
    }
  }

  @Test("No line of the help is wider than 80 columns, nor than the terminal", arguments: [20, 30, 40, 80])
  func width(_ width: Int) {
    let pages = [HelpTexts.general(width: width)] + CommandTable.all.map { HelpTexts.topic($0, width: width) }
    for page in pages {
      for line in page.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
      #expect(!page.contains(" \n") && !page.hasSuffix("\n\n"))
    }
  }

  @Test("No line of the help on any method is wider than 80 columns")
  func methods() throws {
    let description = ProtocolDescription()
    let methods = description.methods
    #expect(methods.count > 300)
    for method in methods {
      let page = try #require(MethodHelp.text(method.name, in: description, width: 80))
      for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(method.name): \(line)") }
      #expect(page.contains("EXAMPLE\n  daybook call \(method.name)"))
    }
  }

  @Test(
    "Words that begin with a dash and a digit are days, and a text has no options behind its first word",
    arguments: [
      (["day", "-1"], ["day", "-1"]), (["agenda", "-3..+2"], ["agenda", "-3..+2"]),
      (["log", "read", "--kind"], ["log", "read", "--kind"]), (["log", "--kind", "meal", "-x"], ["log", "-x"]),
    ])
  func dashes(_ words: [String], _ operands: [String]) throws {
    if words.last == "-x" {
      #expect(throws: UsageError.self) { try Arguments(words) }
    } else {
      #expect(try Arguments(words).operands == operands)
    }
  }
}
