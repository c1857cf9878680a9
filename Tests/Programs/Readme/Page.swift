import Foundation
import ProcessTesting
import Spawning

/// A document for people, with the code blocks that it shows.
struct Page {
  /// The documents that show messages or commands, by their paths in the repository.
  static let all: [String] = {
    let guide = "Protocol/guide"
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(guide).path)
    return ["README.md", "Clients/README.md"] + (names ?? []).sorted().map { "\(guide)/\($0)" }
  }()

  struct Block {
    let language: String
    let text: String
    var lines: [String] { text.components(separatedBy: "\n") }
    /// The lines with an arrow, without it.
    func lines(_ arrow: String) -> [String] {
      lines.filter { $0.hasPrefix(arrow) }.map { String($0.dropFirst(arrow.count).drop { $0 == " " }) }
    }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    .standardized

  let text: String
  /// In order.
  let blocks: [Block]

  init(_ path: String) throws {
    text = try String(contentsOf: Page.root.appendingPathComponent(path), encoding: .utf8)
    var blocks: [Block] = []
    var language: String?
    var lines: [String] = []
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        if let open = language {
          blocks.append(Block(language: open, text: lines.joined(separator: "\n")))
          language = nil
        } else {
          language = String(line.dropFirst(3))
        }
        lines = []
      } else {
        lines.append(line)
      }
    }
    self.blocks = blocks
  }

  /// The blocks of a language, in order.
  func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }
}

/// A command's output and exit status.
struct Outcome {
  let status: Int
  let output: String
  let errors: String

  /// Runs a program with the built `daybook` first on the path, on the given data folder.
  static func of(
    _ program: String, _ arguments: [String], folder: URL, input: String = ""
  ) async throws -> Outcome {
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = binaries.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["DAYBOOK_HOME"] = folder.path
    environment["TZ"] = "UTC"
    let finished = try await Program.command(
      ["/usr/bin/env", program] + arguments, input: input, environment: environment)
    guard case .exited(let status) = finished.status else {
      throw HarnessError("\(program): \(finished.status), \(finished.error)")
    }
    return Outcome(status: status, output: finished.output, errors: finished.error)
  }

  /// The build's folder of `daybook` and the tests.
  static let binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
}
