import CivilTime
import Values

extension StoreFolder {
  /// Makes the folder if it is not there, so that the lock can be taken in it.
  mutating func prepareRoot() throws(StoreError) { if root == nil { try makeRoot() } }

  /// Whether the folder was removed, and not only renamed, since it was opened.
  var isRemoved: Bool { root.map { (try? fileSystem.status(of: $0).linkCount) == 0 } ?? false }

  /// Whether this process has made sure that everything a writer needs is there.
  var isPrepared: Bool { identity != nil && journal != nil && hasCreatedMissingFiles }

  /// Makes everything a writer needs that is not there yet, and repairs the modes of the folder, the lock and the journals' folder; the
  /// lock has to be held. Every step may be taken again, so that after a failure the next write simply starts over. Of a store that is
  /// there already, what takes long is left to `finishPreparing`.
  mutating func prepare(identity new: StoreIdentity, temporaryName: String, reserve: Int) throws(StoreError) {
    guard let root else { return }
    if identity == nil { try Quarantine(folder: self, now: new.createdAt).keepIdentity() }
    do throws(FileSystemError) {
      try repairMode(of: root)
      if let lock { try repairMode(of: lock) }
      if journal == nil {
        try fileSystem.makeDirectoryIfMissing(Name.journal, in: root)
        journal = try fileSystem.openDirectory(Name.journal, in: root)
      }
      guard let journal else { return }
      try repairMode(of: journal)
      if identity != nil {
        // Of a new store the first change goes before.
        keepReserve(reserve)
      } else {
        // Before the identity, so that a store that has one and no journal is known to have lost it.
        if try !fileSystem.names(in: journal).contains(where: { JournalFile.number(of: $0) != nil }) {
          fileSystem.close(try fileSystem.createFile(JournalFile.name(1), in: journal))
        }
        try synchronizeNames()
        try replace(Name.identity, in: root, with: new.bytes, temporaryName: temporaryName)
      }
    } catch { throw StoreError(writing: error) }
    if identity == nil {
      var ignored = RecoveryReport()
      try readIdentity(&ignored)
    }
    hasCreatedMissingFiles = true
  }

  /// The rest of the preparation, before anything is written, with the lock held; it may be taken again after a failure. The names of what
  /// is here are put on the medium, and the modes of all files are repaired: milliseconds for which the owner's thread does not wait,
  /// unless there is no journal.
  mutating func finishPreparing() throws(FileSystemError) {
    try synchronizeNames()
    repairModes()
  }

  /// Ensures that the names of what is here are on the medium, once: who made them may have died before.
  private mutating func synchronizeNames() throws(FileSystemError) {
    guard !namesAreDurable, let root, let journal else { return }
    try fileSystem.synchronizeDirectory(journal)
    try fileSystem.synchronizeDirectory(root)
    try synchronize(StoreFolder.parent(of: path))
    if identity == nil {
      // Of the folders above some may be new too; those that may not be opened are not.
      var above = StoreFolder.parent(of: path)
      while above != StoreFolder.parent(of: above) {
        above = StoreFolder.parent(of: above)
        try? synchronize(above)
      }
    }
    namesAreDurable = true
  }

  /// Makes the data folder and the folders above it that are missing.
  private mutating func makeRoot() throws(StoreError) {
    do throws(FileSystemError) {
      var missing: [String] = []
      var at = path
      while true {
        do throws(FileSystemError) {
          try fileSystem.makeDirectory(path: at)
          break
        } catch  where error.reason == .alreadyExists { break } catch
          where error.reason == .notFound && at != StoreFolder.parent(of: at)
        {
          missing.append(at)
          at = StoreFolder.parent(of: at)
        }
      }
      try synchronize(StoreFolder.parent(of: at))
      for folder in missing.reversed() {
        do throws(FileSystemError) { try fileSystem.makeDirectory(path: folder) } catch
          where error.reason != .alreadyExists
        { throw error } catch {}
        try synchronize(StoreFolder.parent(of: folder))
      }
    } catch { throw StoreError(writing: error) }
    guard try openRoot() else { throw StoreError(.storeUnavailable, "The data folder disappeared.", path: path) }
  }

  /// The folder above; of `/` and of a plain name's, itself.
  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    var parent = path[..<slash]
    while parent.hasSuffix("/") { parent.removeLast() }
    return parent.isEmpty ? "/" : String(parent)
  }

  private func synchronize(_ path: String) throws(FileSystemError) {
    let folder = try fileSystem.openDirectory(path: path, followingLinks: true)
    defer { fileSystem.close(folder) }
    try fileSystem.synchronizeDirectory(folder)
  }

  /// Replaces a small file: under a name of its own, synchronized, renamed, and the folder synchronized.
  func replace(_ name: String, in directory: Descriptor, with bytes: [UInt8], temporaryName: String)
    throws(FileSystemError)
  {
    let file = try fileSystem.createFile(temporaryName, in: directory)
    do throws(FileSystemError) {
      try fileSystem.fill(file, with: bytes)
      try fileSystem.rename(temporaryName, in: directory, to: name, in: directory)
      try fileSystem.synchronizeDirectory(directory)
    } catch {
      // It may have been renamed already; then there is nothing to remove.
      try? fileSystem.unlink(temporaryName, in: directory)
      throw error
    }
  }

  /// Takes away what lets others in, and of a file what lets it be run. What the owner has denied themselves stays denied.
  func repairMode(of descriptor: Descriptor) throws(FileSystemError) {
    let status = try fileSystem.status(of: descriptor)
    if status.mode != status.privateMode { try fileSystem.setMode(status.privateMode, of: descriptor) }
  }

  func repairMode(of name: String, _ status: FileStatus, in directory: Descriptor) throws(FileSystemError) {
    guard status.mode != status.privateMode else { return }
    let file = try fileSystem.openFile(name, in: directory, for: .reading)
    defer { fileSystem.close(file) }
    try repairMode(of: file)
  }
}

extension FileStatus {
  /// What is left of its mode when nobody else is let in.
  fileprivate var privateMode: UInt32 { mode & (kind == .directory ? 0o700 : 0o600) }
}
