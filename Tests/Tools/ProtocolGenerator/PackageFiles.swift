import Foundation
import JSON

/// The protocol's files in this package.
enum PackageFiles {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardized

  /// The generator's sources, by path below `Protocol/`.
  static func sources() throws -> [String: [UInt8]] {
    let folder = root.appendingPathComponent("Protocol")
    var files: [String: [UInt8]] = [:]
    for name in ["protocol.json", "products.json"] {
      files[name] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("domains").path)
    where name.hasSuffix(".json") {
      files["domains/\(name)"] = [UInt8](try Data(contentsOf: folder.appendingPathComponent("domains/\(name)")))
    }
    return files
  }

  /// The text of a generated file.
  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }
}
