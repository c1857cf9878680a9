import Foundation

/// The README's code blocks, in order.
struct Readme {
  struct Block {
    let language: String
    let text: String
    var lines: [String] { text.components(separatedBy: "\n") }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    .standardized

  let blocks: [Block]

  init() throws {
    let text = try String(contentsOf: Readme.root.appendingPathComponent("README.md"), encoding: .utf8)
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

/// What a command printed, and how it ended.
struct Outcome {
  let status: Int32
  let output: String
  let errors: String

  /// Runs a program with the built `daybook` first on the path, on a data folder of its own.
  static func of(_ program: String, _ arguments: [String], folder: URL, input: String = "") throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = binaries.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["DAYBOOK_HOME"] = folder.path
    environment["TZ"] = "UTC"
    process.environment = environment
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    standardInput.fileHandleForWriting.write(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let text = everything(from: output)
    let complaints = everything(from: errors)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: text, errors: complaints)
  }

  /// Reads a pipe to its end. Foundation's own way ends the process when a signal comes in between.
  private static func everything(from pipe: Pipe) -> String {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 65536))
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        data.append(contentsOf: buffer.prefix(count))
      } else if count == 0 || errno != EINTR {
        return String(decoding: data, as: UTF8.self)
      }
    }
  }

  /// The folder that the build put `daybook` into: the one the tests were built into.
  static let binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
}
