/// The open folder of a store's backups.
struct BackupPlace: ~Copyable {
  static let folderName = "backups"
  private static let lockName = "lock"
  /// The prefix of the names of unfinished backups, and of those being removed.
  static let temporary = ".tmp-"
  /// The file in a backup's folder with the problems found by its last verification.
  static let damageName = "damage.json"

  let fileSystem: any FileSystem
  /// The data folder, with only its root open.
  private var folder: StoreFolder
  let home: Descriptor
  private var lock: Descriptor?

  /// Opens the backups folder; nil when there is none.
  init?(reading configuration: FileStore.Configuration) throws(StoreError) {
    var folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    var isOpened = false
    defer { if !isOpened { folder.close() } }
    guard let root = folder.root,
      let opened = try folder.openTrusted(BackupPlace.folderName, in: root, .directory)
    else { return nil }
    isOpened = true
    home = opened.descriptor
    fileSystem = configuration.fileSystem
    self.folder = folder
  }

  /// Opens the folder for adding or removing backups, creating it if needed, and takes its lock.
  ///
  /// - Throws: `backupBusy` when others hold the lock for more than `limit` milliseconds; `cancelled`.
  static func open(
    forWriting configuration: FileStore.Configuration, _ monitor: WorkMonitor = WorkMonitor(),
    waitingUpTo limit: Int = WorkMonitor.longestWait
  ) throws(StoreError) -> BackupPlace {
    let root = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    guard let descriptor = root.root else {
      throw StoreError(.nothingStored, "There is no data folder.", path: configuration.folder)
    }
    defer { configuration.fileSystem.close(descriptor) }
    try root.checkWritable()
    try StoreError.writing(
      configuration.fileSystem.close(try SegmentFiles.directory(folderName, in: descriptor, configuration.fileSystem)))
    guard var place = try BackupPlace(reading: configuration) else {
      throw StoreError(.storeUnavailable, "The backups folder disappeared.", path: configuration.folder)
    }
    guard try monitor.wait(configuration, upTo: limit, until: { () throws(StoreError) in try place.acquireLock() })
    else {
      throw StoreError(.backupBusy, "Another process is making or removing a backup.", path: place.home.path)
    }
    return place
  }

  deinit {
    if let lock { fileSystem.close(lock) }
    fileSystem.close(home)
    var folder = folder
    folder.close()
  }

  private mutating func acquireLock() throws(StoreError) -> Bool {
    let (fileSystem, home) = (fileSystem, home)
    lock = try StoreError.writing(fileSystem.tryLock(BackupPlace.lockName, in: home))
    return lock != nil
  }

  func checkWritable() throws(StoreError) { try folder.checkWritable() }

  // MARK: reading

  /// The finished backups, unordered.
  func ids() throws(StoreError) -> [BackupID] {
    try StoreError.reading(fileSystem.names(in: home)).compactMap { BackupID($0) }
  }

  func open(_ id: BackupID) throws(StoreError) -> Descriptor {
    let opened = try StoreError.readingIfPresent(fileSystem.openDirectory(id.description, in: home))
    guard let opened else { throw StoreError(.backupNotFound, "There is no backup “\(id)”.", path: home.path) }
    return opened
  }

  /// Reads the list in a backup's open folder and throws what is wrong with it. With `id`, the list must have it.
  func list(of backup: Descriptor, _ id: BackupID? = nil) throws(BackupProblem) -> BackupList {
    func problem(_ reason: String) -> BackupProblem { BackupProblem(file: BackupList.fileName, reason: reason) }
    let bytes: [UInt8]
    do throws(FileSystemError) {
      var found = try fileSystem.contents(of: BackupList.fileName, in: backup, limit: BackupList.longestFile)
      if found.failure != nil {
        // An error that does not repeat is none of the backup.
        found = try fileSystem.contents(of: BackupList.fileName, in: backup, limit: BackupList.longestFile)
      }
      if let failure = found.failure { throw failure }
      bytes = found.bytes
    } catch { throw problem(error.description) }
    let list: BackupList
    do throws(DocumentDamage) { list = try BackupList(checking: bytes) } catch { throw problem(error.reason) }
    if let id, list.id != id { throw problem("it belongs to another backup") }
    return list
  }

  /// The summary of a backup, without verifying its files' content.
  func summary(of id: BackupID) throws(StoreError) -> Backup {
    let backup = try open(id)
    defer { fileSystem.close(backup) }
    do throws(BackupProblem) {
      let list = try list(of: backup, id)
      return Backup(list, problem: firstProblem(of: list, in: backup))
    } catch { return Backup(id: id, problem: error) }
  }

  private func firstProblem(of list: BackupList, in backup: Descriptor) -> BackupProblem? {
    if (try? fileSystem.status(of: BackupPlace.damageName, in: backup)) != nil {
      return BackupProblem(file: BackupPlace.damageName, reason: "the last verification found damage")
    }
    var tree = FolderTree(fileSystem, backup)
    for file in list.files {
      do throws(FileSystemError) {
        let place = try tree.place(of: file.name)
        let status = try fileSystem.status(of: place.name, in: place.folder)
        guard status.kind == .file, status.size == file.bytes else {
          return BackupProblem(file: file.name, reason: "it has \(status.size) bytes, not \(file.bytes)")
        }
      } catch { return BackupProblem(file: file.name, reason: error.description) }
    }
    return nil
  }

  // MARK: changing

  /// Removes remains of a killed process. The lock is held.
  func sweep() throws(FileSystemError) {
    for name in try fileSystem.names(in: home) where name.hasPrefix(BackupPlace.temporary) {
      try fileSystem.removeTree(name, in: home)
    }
  }

  func temporaryName(_ id: BackupID) -> String { BackupPlace.temporary + id.description }

  /// Gives a fully synced backup its final name.
  func publish(_ id: BackupID) throws(FileSystemError) {
    try fileSystem.rename(temporaryName(id), in: home, to: id.description, in: home)
    try fileSystem.synchronizeDirectory(home)
  }

  func remove(_ id: BackupID) throws(FileSystemError) {
    // Renamed first, so that a partly removed backup is never visible.
    try fileSystem.rename(id.description, in: home, to: temporaryName(id), in: home)
    try fileSystem.synchronizeDirectory(home)
    try fileSystem.removeTree(temporaryName(id), in: home)
  }
}

extension StoreFolder {
  /// Opens only the folder itself, if it exists, without registering as a user of the store.
  init(rootOf path: String, _ fileSystem: any FileSystem) throws(StoreError) {
    self.fileSystem = fileSystem
    self.path = try StoreFolder.normalized(path)
    do throws(StoreError) { _ = try openRoot() } catch {
      close()
      throw error
    }
  }
}
