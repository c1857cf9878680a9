import FileStore

/// A listing of a data folder for people: mode, length and name of each file, without content. Names that the program
/// did not choose are hidden.
struct FolderListing {
  /// The maximum number of listed entries.
  static let capacity = 10_000
  private static let depth = 6

  private let fileSystem: any FileSystem
  private var lines: [String] = []
  private var omitted = 0

  /// Lists a folder; an entry that cannot be read says so in its line.
  init(of dataFolder: String, _ fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
    do throws(FileSystemError) {
      guard let root = try LogFolder.root(dataFolder, fileSystem) else {
        lines = ["there is no data folder"]
        return
      }
      defer { fileSystem.close(root) }
      if let status = try? fileSystem.status(of: root) { lines.append(FolderListing.line(status, ".")) }
      list(root, "", isOwn: true, FolderListing.depth)
    } catch { lines.append("the data folder cannot be read: \(error.call): \(error.text)") }
  }

  var text: [UInt8] {
    let rest = omitted > 0 ? ["\(omitted) more"] : []
    return Array((lines + rest).map { $0 + "\n" }.joined().utf8)
  }

  private mutating func list(_ folder: Descriptor, _ path: String, isOwn: Bool, _ depth: Int) {
    guard depth > 0 else { return }
    let names: [String]
    do throws(FileSystemError) { names = try fileSystem.names(in: folder).sorted() } catch {
      lines.append("  \(path)cannot be read: \(error.text)")
      return
    }
    for name in names {
      guard lines.count < FolderListing.capacity else {
        omitted += 1
        continue
      }
      let isOwn = isOwn && FolderListing.isOwn(name, in: path)
      let shown = path + (isOwn ? name : LogMessage.hidden)
      guard let status = try? fileSystem.status(of: name, in: folder) else {
        lines.append("  \(shown) is gone or cannot be looked at")
        continue
      }
      lines.append(FolderListing.line(status, shown))
      guard status.kind == .directory, let inner = try? fileSystem.openDirectory(name, in: folder) else { continue }
      list(inner, shown + "/", isOwn: isOwn, depth - 1)
      fileSystem.close(inner)
    }
  }

  private static func line(_ status: FileStatus, _ name: String) -> String {
    let kind =
      switch status.kind {
      case .file: "-"
      case .directory: "d"
      case .symbolicLink: "l"
      case .other: "?"
      }
    let size = status.kind == .file ? "\(status.size)" : "-"
    return "\(kind)\(padded(String(status.mode, radix: 8), 5))\(padded(size, 12))  \(name)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  // MARK: whose names

  /// The words in the program's own file names, between periods, hyphens and the like.
  private static let words: Set<String> = [
    "all", "backup", "backups", "checkpoint", "damage", "daybook", "debug", "done", "erasing", "failed", "flags", "for",
    "journal", "json",
    "jsonl", "list", "lock", "log", "logs", "made", "manifest", "new", "pending", "premium", "quarantine", "reminders",
    "reserve", "restore", "scrubbed", "secrets", "segments", "store", "sync", "tests", "tmp", "turn", "whole",
  ]

  /// Whether a name is one of the program's own: made of its words, numbers, ids and checksums, or in `segments` of a
  /// collection's name.
  private static func isOwn(_ name: String, in path: String) -> Bool {
    let folders = path.split(separator: "/")
    if folders.last == "segments", CollectionName(name).isFileName { return true }
    // A quarantined segment has the collection's name in its own.
    let isOfSegment = folders.first == "quarantine" && name.hasPrefix("segments-")
    let parts = name.split { ".-".contains($0) }
    return !parts.isEmpty
      && parts.allSatisfy { part in
        words.contains(String(part)) || isNumber(part) || (isOfSegment && CollectionName(String(part)).isFileName)
      }
  }

  /// Whether a part consists of digits, as hexadecimal numbers, instants and ids have them, and not of letters alone.
  private static func isNumber(_ part: Substring) -> Bool {
    part.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && part.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "T"),
          UInt8(ascii: "Z"):
          true
        default: false
        }
      }
  }
}
