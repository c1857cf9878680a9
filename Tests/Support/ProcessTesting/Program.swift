import Foundation
import Testing

/// The executable under test.
package enum Program {
  /// The folder of the repository.
  package static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardized.path

  /// Its path: `$DAYBOOK`, else beside the running tests, else in the debug build of this repository.
  package static func path() throws -> String {
    var candidates: [String] = []
    if let named = ProcessInfo.processInfo.environment["DAYBOOK"] { candidates.append(named) }
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      candidates.append((argument as NSString).deletingLastPathComponent + "/daybook")
    }
    if let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      candidates.append((tests as NSString).deletingLastPathComponent + "/daybook")
    }
    candidates.append(repository + "/.build/debug/daybook")
    for path in candidates where FileManager.default.isExecutableFile(atPath: path) { return path }
    throw HarnessError("the program is not built; looked for \(candidates.joined(separator: ", ")): run “swift build”")
  }

  /// The base environment of the program: a neutral zone and language.
  package static var environment: [String: String] {
    var environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TZ": "UTC", "HOME": "/nonexistent"]
    for name in ["LD_LIBRARY_PATH", "TSAN_OPTIONS"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    return environment
  }
}

/// A folder that exists for the duration of a test.
package final class TemporaryFolder: Sendable {
  package let path: String
  /// The path of a data folder in it, not created yet.
  package var data: String { path + "/data" }

  package init() throws {
    path = NSTemporaryDirectory() + "daybook-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names of everything under the data folder, in order.
  package var dataEntries: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: data)) ?? []).sorted()
  }
}
