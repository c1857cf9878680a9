import Foundation
import ProcessTesting
import Spawning

/// Runs Python programs of this repository.
enum Python {
  /// Runs a program in the repository's folder, and forwards its output.
  static func run(_ arguments: [String], input: String = "", patience: Double = 1) async throws -> Finished {
    let place = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, Program.repository, "python3"]
    let finished = try await Program.command(
      place + arguments, input: input, environment: ProcessInfo.processInfo.environment, patience: patience
    ) { piece in
      FileHandle.standardOutput.write(Data(piece))
    }
    guard finished.status != .exited(127) else {
      throw HarnessError(
        "python3 is not installed: the cases of Protocol/ are played by Protocol/conformance, which needs Python 3.9 or "
          + "later and nothing else (Debian: apt install python3)\n\(finished.error)")
    }
    return finished
  }
}

extension Finished {
  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n").map { String($0) } }

  /// The entries that begin with `FAILED` at the margin, each with its indented lines.
  var mistakes: [String] {
    var mistakes: [String] = []
    var isOpen = false
    for line in lines {
      if line.hasPrefix("FAILED ") {
        mistakes.append(line)
        isOpen = true
      } else if isOpen, line.hasPrefix(" ") {
        mistakes[mistakes.count - 1] += "\n" + line
      } else {
        isOpen = false
      }
    }
    return mistakes
  }
}
