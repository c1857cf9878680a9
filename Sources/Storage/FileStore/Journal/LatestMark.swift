import JSON
import Values

/// What `latest.json` says: the revision that was made durable last. Every writer notes it after each sync and before it answers, so
/// that a journal that has lost its end, or is gone, can be told from one that never had more; and so that others who have mapped
/// the file see without a system call that there is more.
///
/// The file is overwritten in place and never synchronized: after a power cut it may say less, which claims nothing. It never says
/// more than is on the medium.
struct LatestMark: Sendable, Equatable, Document {
  static let fileName = "latest.json"

  /// The store it speaks of.
  var store = EntityID.zero
  var revision = 0

  init() {}

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("store", &store)
    try members.value("revision", &revision)
  }

  /// The file's text, which always has the same length; unlike `text()`, which nobody may write here.
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

  /// Bytes of the longest file that is taken for one.
  static let sizeLimit = 256

  init(store: EntityID, revision: Int) {
    self.store = store
    self.revision = max(0, revision)
  }
}

extension StoreFolder {
  /// The revision that was made durable last; nil when that is not known. To be read before the journals, which then have it.
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

  /// What an open file is, if it is ours alone and short enough to be the mark.
  func markStatus(of file: Descriptor) -> FileStatus? {
    guard let status = try? fileSystem.status(of: file), status.kind == .file, status.owner == fileSystem.userID,
      status.linkCount == 1, status.size <= LatestMark.sizeLimit
    else { return nil }
    return status
  }

  /// Makes the mark say nothing, for those who have mapped it; to be called before its name is removed.
  func spoilMark() {
    guard let root, let file = try? fileSystem.openFile(LatestMark.fileName, in: root, for: .updating) else { return }
    defer { fileSystem.close(file) }
    guard let size = markStatus(of: file)?.size else { return }
    [UInt8](repeating: 0, count: size).withUnsafeBytes { try? fileSystem.overwrite($0, of: file) }
  }

  /// The file of the mark, to be written; it is made if it is not there. Nil when something else stands in its place.
  fileprivate func openMark(in root: Descriptor) throws(FileSystemError) -> Descriptor? {
    let file = try fileSystem.openOrCreate(LatestMark.fileName, in: root)
    if markStatus(of: file) != nil { return file }
    fileSystem.close(file)
    return nil
  }
}

/// Notes the revision that was made durable last, under the store's lock.
struct LatestMarkWriter: Sendable {
  private var file: Descriptor?

  /// Notes it. No answer depends on it, so a failure is left to the next time.
  ///
  /// - Parameter isDurable: Whether it is synchronized, too, with its name: a power cut must not keep what follows and lose the mark.
  mutating func note(_ revision: Int, in folder: StoreFolder, isDurable: Bool = false) {
    guard let root = folder.root, let identity = folder.identity else { return }
    do throws(FileSystemError) {
      // A mark whose name was taken away tells nobody who comes later.
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
