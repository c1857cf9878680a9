extension StoreFolder {
  /// Creates the folder if missing, so that the lock can be taken in it.
  mutating func prepareRoot() throws(StoreError) { if root == nil { try makeRoot() } }

  /// Whether the folder was removed, not just renamed, since it was opened.
  var isRemoved: Bool { root.map { (try? fileSystem.status(of: $0).linkCount) == 0 } ?? false }

  /// Whether this process has created everything a writer needs.
  var isPrepared: Bool { identity != nil && journal != nil && hasCreatedMissingFiles }

  /// Creates everything a writer needs, and repairs the modes of the folder, the lock and the journals' folder, under
  /// the lock. Every step can be repeated, so after a failure the next write starts over. For an existing store, slow
  /// steps are left to `finishPreparing`.
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
        // In a new store the first change has priority.
        keepReserve(reserve)
      } else {
        // Before the identity: a store with an identity and without a journal has lost it.
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

  /// Finishes the preparation before the first write, under the lock; it can be repeated after a failure. It makes the
  /// existing names durable and repairs all modes, which takes milliseconds; the owner's thread waits for it only when
  /// there is no journal.
  mutating func finishPreparing() throws(FileSystemError) {
    try synchronizeNames()
    repairModes()
  }

  /// Makes the existing names durable, once: their creator may have died before syncing.
  private mutating func synchronizeNames() throws(FileSystemError) {
    guard !namesAreDurable, let root, let journal else { return }
    try fileSystem.synchronizeDirectory(journal)
    try fileSystem.synchronizeDirectory(root)
    try synchronize(StoreFolder.parent(of: path))
    if identity == nil {
      // Folders above may be new too; those that cannot be opened are not.
      var above = StoreFolder.parent(of: path)
      while above != StoreFolder.parent(of: above) {
        above = StoreFolder.parent(of: above)
        try? synchronize(above)
      }
    }
    namesAreDurable = true
  }

  /// Creates the data folder and missing parents.
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
        _ = try FileSystemError.ignoring(.alreadyExists, fileSystem.makeDirectory(path: folder))
        try synchronize(StoreFolder.parent(of: folder))
      }
    } catch { throw StoreError(writing: error) }
    guard try openRoot() else { throw StoreError(.storeUnavailable, "The data folder disappeared.", path: path) }
  }

  /// The parent folder; of `/`, itself; of a plain name, `.`.
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

  /// Replaces a small file: writes it under a temporary name, syncs it, renames it, and syncs the folder.
  func replace(_ name: String, in directory: Descriptor, with bytes: [UInt8], temporaryName: String)
    throws(FileSystemError)
  {
    let file = try fileSystem.createFile(temporaryName, in: directory)
    do throws(FileSystemError) {
      try fileSystem.fill(file, with: bytes)
      try fileSystem.rename(temporaryName, in: directory, to: name, in: directory)
      try fileSystem.synchronizeDirectory(directory)
    } catch {
      // After a successful rename there is nothing to remove.
      try? fileSystem.unlink(temporaryName, in: directory)
      throw error
    }
  }

  /// Replaces a small file while a lock keeps other processes from doing so.
  func replaceUnderLock(_ name: String, in directory: Descriptor, with bytes: [UInt8]) throws(FileSystemError) {
    let temporary = "\(name).\(fileSystem.processID).new"
    // A remainder of a dead process with the same id.
    try? fileSystem.unlink(temporary, in: directory)
    try replace(name, in: directory, with: bytes, temporaryName: temporary)
  }

  /// Removes permissions of others, and execute permission of a file. Permissions denied by the owner stay denied.
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

  /// Removes permissions of others from everything in the folder that is ours. Permissions denied by the owner stay
  /// denied; failures are left to the code that needs the file.
  func repairModes() {
    guard let root else { return }
    repairModes(in: root, depth: 3)
  }

  private func repairModes(in directory: Descriptor, depth: Int) {
    for name in ((try? fileSystem.names(in: directory)) ?? []).sorted() {
      guard let status = try? fileSystem.status(of: name, in: directory), status.owner == fileSystem.userID else {
        continue
      }
      switch status.kind {
      case .file: try? repairMode(of: name, status, in: directory)
      case .directory where depth > 0:
        guard let folder = try? fileSystem.openDirectory(name, in: directory) else { continue }
        defer { fileSystem.close(folder) }
        try? repairMode(of: folder)
        repairModes(in: folder, depth: depth - 1)
      default: continue
      }
    }
  }
}

extension FileStatus {
  /// Its mode without permissions for others.
  fileprivate var privateMode: UInt32 { mode & (kind == .directory ? 0o700 : 0o600) }
}
