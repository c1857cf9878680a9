import Foundation

/// Where things are.
enum Place {
  /// The repository this was compiled from.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    .standardized.path

  /// A program of this package, built along with the tests; nil when it is not there.
  static func program(_ name: String) -> String? {
    let beside = [CommandLine.arguments.first, Bundle.main.executablePath].compactMap { $0 }
      .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return (beside + [root + "/.build/debug"]).map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
