import Foundation
import ProtocolGenerator
import Testing

/// The output of every emitter for a toy protocol, compared with reviewed files. After an intended change,
/// `GOLDEN_REWRITE=1 swift test --filter GoldenTests` rewrites them; review the difference.
struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Golden")
  private static let rewrites = ProcessInfo.processInfo.environment["GOLDEN_REWRITE"] != nil

  @Test("Every emitter gives the contents of its golden file")
  func golden() throws {
    var files = try Generator(files: ToyProtocol.files()).files()
    files["Samples.txt"] = try samples()
    if Self.rewrites { try rewrite(files) }
    for (path, text) in files {
      let golden = try? Data(contentsOf: Self.folder.appendingPathComponent(path + ".golden"))
      #expect(golden == Data(text.utf8), "\(path) differs from its golden file")
    }
    let present = FileManager.default.enumerator(atPath: Self.folder.path)?.compactMap { $0 as? String } ?? []
    let goldens = present.filter { $0.hasSuffix(".golden") }.map { String($0.dropLast(7)) }
    #expect(Set(goldens) == Set(files.keys))
  }

  @Test("All generated files are in folders that contain nothing else")
  func folders() throws {
    let generator = try Generator(files: ToyProtocol.files())
    for path in generator.files().keys {
      #expect(generator.folders.contains { path.hasPrefix($0 + "/") }, "\(path)")
    }
  }

  /// A line a sample.
  private func samples() throws -> String {
    try Sample.all(files: ToyProtocol.files()).map { sample in
      let verdict = sample.pointer.map { "\(sample.why ?? "") at “\($0)”" } ?? "valid"
      return "\(sample.type), \(verdict): \(String(decoding: sample.json, as: UTF8.self))\n"
    }.joined()
  }

  private func rewrite(_ files: [String: String]) throws {
    try? FileManager.default.removeItem(at: Self.folder)
    for (path, text) in files {
      let url = Self.folder.appendingPathComponent(path + ".golden")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }
}
