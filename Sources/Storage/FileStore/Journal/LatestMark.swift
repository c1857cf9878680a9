import JSON
import Values

/// `latest.json`: the last durable revision. Every writer updates it after each sync and before it answers. It
/// distinguishes a journal that lost its end, or is missing, from one that never had more; and processes that have
/// mapped the file see new revisions without a system call.
///
/// The file is overwritten in place and normally not synced: after a power cut it may show an older revision, which is
/// harmless. It never shows a revision that is not durable.
struct LatestMark: Sendable, Equatable, Document {
  static let fileName = "latest.json"

  var store = EntityID.zero
  var revision = 0

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("store", &store)
    try members.value("revision", &revision)
  }

  /// The file's text, always of the same length; unlike `text()`, which must not be written here.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("store")
    writer.write(store.description)
    writer.name("revision")
    let digits = String(revision)
    for _ in digits.utf8.count..<LatestMark.digits { writer.append(UInt8(ascii: " ")) }
    for digit in digits.utf8 { writer.append(digit) }
    LineSuffix.close(&writer)
    return writer.bytes
  }

  private static let digits = String(Int.max).utf8.count

  /// The maximum size of a file that is accepted as a mark, in bytes.
  static let sizeLimit = 256
}

extension StoreFolder {
  /// The last durable revision; nil when unknown. To be read before the journals, which then contain it.
  func latestNoted() -> Int? { [markedRevision(), lost?.latest].compactMap { $0 }.max() }

  private func markedRevision() -> Int? {
    guard let root, let file = try? fileSystem.openFile(LatestMark.fileName, in: root, for: .reading) else {
      return nil
    }
    defer { fileSystem.close(file) }
    guard markStatus(of: file) != nil,
      let mark = try? LatestMark(checking: fileSystem.contents(of: file, size: LatestMark.sizeLimit).bytes),
      identity.map({ $0.store == mark.store }) ?? true
    else { return nil }
    return mark.revision
  }

  /// The file's status, if it is ours alone and short enough to be the mark.
  func markStatus(of file: Descriptor) -> FileStatus? {
    guard let status = try? fileSystem.status(of: file), status.kind == .file, status.owner == fileSystem.userID,
      status.linkCount == 1, status.size <= LatestMark.sizeLimit
    else { return nil }
    return status
  }

  /// Overwrites the mark with zeros for processes that have mapped it; to be called before its name is removed.
  func invalidateMark() {
    guard let root, let file = try? fileSystem.openFile(LatestMark.fileName, in: root, for: .updating) else { return }
    defer { fileSystem.close(file) }
    guard let size = markStatus(of: file)?.size else { return }
    [UInt8](repeating: 0, count: size).withUnsafeBytes { try? fileSystem.overwrite($0, of: file) }
  }

  /// Opens the mark's file for writing, creating it if needed; nil when something else has its name.
  fileprivate func openMark(in root: Descriptor) throws(FileSystemError) -> Descriptor? {
    let file = try fileSystem.openOrCreate(LatestMark.fileName, in: root)
    if markStatus(of: file) != nil { return file }
    fileSystem.close(file)
    return nil
  }
}

/// Writes the last durable revision to the mark, under the store's lock.
struct LatestMarkWriter: Sendable {
  private var file: Descriptor?

  /// Writes `revision` to the mark. No answer depends on it, so a failure only closes the file for the next attempt.
  ///
  /// - Parameter isDurable: Whether the file and its name are synced, for steps that a power cut must not keep without
  ///   the mark.
  mutating func note(_ revision: Int, in folder: StoreFolder, isDurable: Bool = false) {
    guard let root = folder.root, let identity = folder.identity else { return }
    do throws(FileSystemError) {
      // A mark without a name would not be seen by later processes.
      if let open = file, try folder.fileSystem.status(of: open).linkCount == 0 { close(folder.fileSystem) }
      if file == nil { file = try folder.openMark(in: root) }
      guard let file else { return }
      let bytes = LatestMark(store: identity.store, revision: revision).bytes
      try bytes.lend { bytes throws(FileSystemError) in try folder.fileSystem.overwrite(bytes, of: file) }
      guard isDurable else { return }
      try folder.fileSystem.synchronizeFile(file)
      try folder.fileSystem.synchronizeDirectory(root)
    } catch { close(folder.fileSystem) }
  }

  mutating func close(_ fileSystem: any FileSystem) {
    if let file { fileSystem.close(file) }
    file = nil
  }
}
