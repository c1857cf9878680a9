import Foundation
import ProtocolGenerator
import ProtocolModel

/// The command line of `protocol-gen`.
struct GeneratorCommand {
  let arguments: [String]

  static let help = """
    usage: swift run protocol-gen [--check | --diff OLD] [--root DIR]

        (nothing)     write every generated file, and remove obsolete ones
        --check       write nothing; list stale files, and fail if there are any
      --diff OLD    compare with an older copy of the folder Protocol/ and list what breaks clients
        --root DIR    the package folder (default: the current folder)

    Exit status: 0 success; 1 stale files, or breaking changes; 2 wrong usage, or an error in Protocol/.
    """

  func run() -> Int32 {
    var root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    var isCheck = false
    var old: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--check": isCheck = true
      case "--diff":
        guard let folder = rest.popFirst() else { return usage("--diff needs a folder") }
        old = folder
      case "--root":
        guard let folder = rest.popFirst() else { return usage("--root needs a folder") }
        root = URL(fileURLWithPath: folder)
      case "--help", "-h":
        print(GeneratorCommand.help)
        return 0
      default: return usage("unknown argument \(argument)")
      }
    }
    do {
      let sources = try Self.sources(root.appendingPathComponent("Protocol"))
      if let old { return try diff(old: Self.sources(URL(fileURLWithPath: old)), new: sources) }
      let generator = try Generator(files: sources)
      let files = generator.files()
      return try isCheck ? check(files, generator.folders, root) : write(files, generator.folders, root)
    } catch {
      complain("protocol-gen: \(error)")
      return 2
    }
  }

  private func usage(_ message: String) -> Int32 {
    complain("protocol-gen: \(message)\n\n\(GeneratorCommand.help)")
    return 2
  }

  private func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }

  /// The contents of `protocol.json`, `products.json` and `domains/*.json`, by relative path.
  private static func sources(_ folder: URL) throws -> [String: [UInt8]] {
    var files = ["protocol.json": [UInt8](try Data(contentsOf: folder.appendingPathComponent("protocol.json")))]
    let products = folder.appendingPathComponent("products.json")
    if FileManager.default.fileExists(atPath: products.path) {
      files["products.json"] = [UInt8](try Data(contentsOf: products))
    }
    let domains = folder.appendingPathComponent("domains")
    for name in try FileManager.default.contentsOfDirectory(atPath: domains.path) where name.hasSuffix(".json") {
      files["domains/\(name)"] = [UInt8](try Data(contentsOf: domains.appendingPathComponent(name)))
    }
    return files
  }

  private func write(_ files: [String: String], _ folders: [String], _ root: URL) throws -> Int32 {
    var written = 0
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      let url = root.appendingPathComponent(path)
      guard (try? Data(contentsOf: url)) != Data(text.utf8) else { continue }
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      written += 1
    }
    let strays = strays(folders, files, root)
    for path in strays { try FileManager.default.removeItem(at: root.appendingPathComponent(path)) }
    print("\(files.count) files, \(written) written, \(strays.count) removed")
    return 0
  }

  private func check(_ files: [String: String], _ folders: [String], _ root: URL) throws -> Int32 {
    var stale: [String] = []
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      let url = root.appendingPathComponent(path)
      let present = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
      guard present != text else { continue }
      stale.append(path)
      complain("stale: \(path)\(firstDifference(present, text))")
    }
    for path in strays(folders, files, root) {
      stale.append(path)
      complain("obsolete: \(path)")
    }
    if stale.isEmpty {
      print("\(files.count) generated files are fresh")
      return 0
    }
    complain("run “swift run protocol-gen”")
    return 1
  }

  private func firstDifference(_ present: String?, _ expected: String) -> String {
    guard let present else { return " (missing)" }
    let old = present.split(separator: "\n", omittingEmptySubsequences: false)
    let new = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(old.count, new.count) {
      let (left, right) = (index < old.count ? old[index] : "", index < new.count ? new[index] : "")
      if left != right { return "\n  line \(index + 1)\n  - \(left.prefix(200))\n  + \(right.prefix(200))" }
    }
    return ""
  }

  /// Files in the generated folders that are not generated.
  private func strays(_ folders: [String], _ files: [String: String], _ root: URL) -> [String] {
    var strays: [String] = []
    for folder in folders {
      let url = root.appendingPathComponent(folder)
      let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
      for name in names where files["\(folder)/\(name)"] == nil {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path, isDirectory: &isFolder)
        if !isFolder.boolValue { strays.append("\(folder)/\(name)") }
      }
    }
    return strays.sorted()
  }

  private func diff(old: [String: [UInt8]], new: [String: [UInt8]]) throws -> Int32 {
    let comparison = try Comparison(old: old, new: new)
    for line in comparison.breaking { print("BREAKING  \(line)") }
    for line in comparison.additions { print("addition  \(line)") }
    print("\(comparison.breaking.count) breaking changes, \(comparison.additions.count) additions")
    return comparison.breaking.isEmpty ? 0 : 1
  }
}
