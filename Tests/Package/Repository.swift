import Foundation

/// The repository of this test.
enum Repository {
  /// Its folder, two levels above this file's folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized

  /// All Swift files under `Sources` and `Clients`, sorted by path; read once for all rules.
  static func sources() throws -> [SourceText] { try found.get() }

  private static let found = Result { try swiftFiles(under: "Clients") + swiftFiles(under: "Sources") }

  /// All Swift files under `Tests`, sorted by path.
  static func tests() throws -> [SourceText] { try swiftFiles(under: "Tests") }

  private static func swiftFiles(under folder: String) throws -> [SourceText] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { try file("\(folder)/\($0)") }
  }

  /// All documents written by hand, sorted by path.
  static func documents() throws -> [SourceText] {
    let folders = ["Sources", "Tests", "Protocol", "Clients"]
    let paths = try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        .map { "\(folder)/\($0)" }
    }
    let documents = paths.filter { $0.hasSuffix(".md") && !$0.contains("/generated/") }
    return try (["README.md"] + documents).sorted().map(file)
  }

  /// The anchors of a document, none for another file or a folder; nil when there is nothing at the path.
  static func headings(_ path: String) -> Set<String>? {
    guard exists(path) else { return nil }
    return (path.hasSuffix(".md") ? try? file(path) : nil).map(DocumentRule.anchors) ?? []
  }

  /// Whether there is a file or a folder at a path.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The names of the protocol's domains.
  static func domainNames() throws -> DomainNames {
    let folder = root.appendingPathComponent("Protocol/domains")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try DomainNames(files.filter { $0.pathExtension == "json" }.map { try Data(contentsOf: $0) })
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
