import CivilTime
import Values

extension StoreError.Code {
  /// The file to be created exists already.
  package static let fileExists = Self("fileExists")
  /// A file or folder named by the caller is unusable.
  package static let fileUnusable = Self("fileUnusable")
}

/// Writes everything stored as one text, from the files, as it was at the start; nobody waits for it.
package struct StoreExport: Sendable {
  /// What was written.
  package struct Summary: Sendable, Equatable {
    package var records = 0
    package var bytes = 0
    package var revision = 0
    /// Whether part of the store was unreadable, so that the export is incomplete.
    package var isDamaged = false
  }

  /// The approximate size of the pieces passed on.
  static let piece = 256 << 10

  let configuration: FileStore.Configuration

  package init(_ configuration: FileStore.Configuration) { self.configuration = configuration }

  /// Passes the text to `body` piece by piece, in whole lines: the collections by name, and in each the records by
  /// day, time of creation and id, oldest first.
  ///
  /// - Throws: `cancelled`, read errors, or what `body` throws.
  package func run(_ monitor: WorkMonitor = WorkMonitor(), _ body: ([UInt8]) throws(StoreError) -> Void)
    throws(StoreError) -> Summary
  {
    let source = try StoreReading(configuration, isEmptyAllowed: true)
    let snapshot = source.snapshot
    var text = ExportText(
      created: configuration.now(), store: source.folder.identity?.store, revision: snapshot.revision)
    let total = max(1, snapshot.totalCount)
    for key in try snapshot.keys() {
      try monitor.check()
      for record in snapshot.records(of: key) {
        record.body.withUnsafeBytes { body in
          text.append(
            key.collection, id: record.id, day: record.day, createdAt: record.createdAt, updatedAt: record.updatedAt,
            schema: record.schema, body: body)
        }
        if text.pending >= StoreExport.piece { try body(text.take()) }
      }
      monitor.report(text.count * 100 / total)
    }
    text.finish()
    try body(text.take())
    let isDamaged = snapshot.revision > 0 && source.isDamaged
    return Summary(records: text.count, bytes: text.bytes, revision: snapshot.revision, isDamaged: isDamaged)
  }

  /// Writes the text into a file, which appears complete or not at all.
  ///
  /// - Throws: As `OutsideFile.write` and `run`.
  package func write(to path: String, overwrites: Bool, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError)
    -> Summary
  {
    try OutsideFile(path, configuration).write(overwrites: overwrites) { write throws(StoreError) in
      try run(monitor) { text throws(StoreError) in try write(text) }
    }
  }
}

/// A file outside the data folder, named by a path from the caller.
struct NamedFile: ~Copyable {
  let path: String
  /// The open folder of the file, and its name there.
  let folder: Descriptor
  let name: String
  private let fileSystem: any FileSystem

  init(_ path: String, _ fileSystem: any FileSystem) throws(StoreError) {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw StoreError(.fileUnusable, "The path names no file.", path: path)
    }
    do throws(FileSystemError) { folder = try fileSystem.openDirectory(path: parent, followingLinks: true) } catch {
      throw NamedFile.failure(error, path)
    }
    self.path = path
    self.name = name
    self.fileSystem = fileSystem
  }

  deinit { fileSystem.close(folder) }

  func contents(limit: Int) throws(StoreError) -> [UInt8] {
    let file = try calling { () throws(FileSystemError) in try fileSystem.openFile(name, in: folder, for: .reading) }
    defer { fileSystem.close(file) }
    let status = try calling { () throws(FileSystemError) in try fileSystem.status(of: file) }
    guard status.kind == .file else { throw StoreError(.fileUnusable, "It is no regular file.", path: path) }
    guard status.size <= limit else {
      throw StoreError(
        .fileUnusable, "The file is too large.", path: path,
        details: ["bytes": String(status.size), "limit": String(limit)])
    }
    let (bytes, problem) = fileSystem.contents(of: file, size: status.size)
    if let problem { throw failure(problem) }
    return bytes
  }

  var exists: StoreError { StoreError(.fileExists, "Something of that name is there already.", path: path) }

  /// Makes calls to read or write the file, and converts their errors.
  func calling<Value>(_ body: () throws(FileSystemError) -> Value) throws(StoreError) -> Value {
    do throws(FileSystemError) { return try body() } catch { throw failure(error) }
  }

  func failure(_ error: FileSystemError) -> StoreError {
    error.reason == .alreadyExists ? exists : NamedFile.failure(error, path)
  }

  private static func failure(_ error: FileSystemError, _ path: String) -> StoreError {
    if error.reason == .noSpace { return StoreError(writing: error) }
    let message = error.reason == .symbolicLink ? "The path leads to a symbolic link." : "The file cannot be used."
    return StoreError(.fileUnusable, message, path: path, systemText: error.text)
  }
}
