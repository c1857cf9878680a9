import Foundation

/// The repository this test was compiled from.
enum Repository {
  /// Its folder: two above the one this file is in.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized

  /// Every Swift file under `Sources`, in the order of the paths; read once, for all rules.
  static func sources() throws -> [SourceText] { try found.get() }

  private static let found = Result { try swiftFiles(under: "Sources") }

  /// Every Swift file under `Tests`, in the order of the paths.
  static func tests() throws -> [SourceText] { try swiftFiles(under: "Tests") }

  private static func swiftFiles(under folder: String) throws -> [SourceText] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { try file("\(folder)/\($0)") }
  }

  /// One file.
  static func file(_ path: String) throws -> SourceText {
    SourceText(path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
  }

  /// The names of what lies at the top.
  static func topLevelEntries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }
}
