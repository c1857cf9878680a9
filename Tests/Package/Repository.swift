import Foundation

/// The repository of this test.
enum Repository {
  /// Its folder, two levels above this file's folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized

  /// All Swift files under `Sources`, sorted by path; read once for all rules.
  static func sources() throws -> [SourceText] { try found.get() }

  private static let found = Result { try swiftFiles(under: "Sources") }

  /// All Swift files under `Tests`, sorted by path.
  static func tests() throws -> [SourceText] { try swiftFiles(under: "Tests") }

  private static func swiftFiles(under folder: String) throws -> [SourceText] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { try file("\(folder)/\($0)") }
  }

  /// One file.
  static func file(_ path: String) throws -> SourceText {
    SourceText(path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
  }

  /// The names of the top-level entries.
  static func topLevelEntries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }
}
