import Values

/// The folder of a store's backups, open.
struct BackupPlace: ~Copyable {
  static let folderName = "backups"
  private static let lockName = "lock"
  /// What the names of unfinished backups, and of those on their way out, begin with.
  static let temporary = ".tmp-"
  /// In a backup's folder, what its last verification found wrong with it.
  static let damageName = "damage.json"

  let fileSystem: any FileSystem
  /// The data folder; only its root is open.
  private var folder: StoreFolder
  let home: Descriptor
  private var turn: Descriptor?

  /// Opens the backups there are; nil when there are none.
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

  /// Opens them to add or remove one, making the folder if need be; throws `backupBusy` when somebody else is at it.
  static func open(forWriting configuration: FileStore.Configuration) throws(StoreError) -> BackupPlace {
    let root = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    guard let descriptor = root.root else {
      throw StoreError(.nothingStored, "There is no data folder.", path: configuration.folder)
    }
    defer { configuration.fileSystem.close(descriptor) }
    try root.checkWritable()
    try StoreError.writing(
      configuration.fileSystem.close(try SegmentFiles.directory(folderName, in: descriptor, configuration.fileSystem)))
    guard var place = try BackupPlace(reading: configuration) else {
      throw StoreError(.storeUnavailable, "The folder of backups disappeared.", path: configuration.folder)
    }
    try place.takeTurn()
    return place
  }

  deinit {
    if let turn { fileSystem.close(turn) }
    fileSystem.close(home)
    var folder = folder
    folder.close()
  }

  private mutating func takeTurn() throws(StoreError) {
    let (fileSystem, home) = (fileSystem, home)
    turn = try StoreError.writing(fileSystem.takeTurn(BackupPlace.lockName, in: home))
    guard turn != nil else {
      throw StoreError(.backupBusy, "Another backup is being made or removed.", path: home.path)
    }
  }

  /// Throws if nothing may be written here.
  func checkWritable() throws(StoreError) { try folder.checkWritable() }

  // MARK: what is there

  /// The backups there are, finished ones only, in no order.
  func ids() throws(StoreError) -> [BackupID] {
    try StoreError.reading(fileSystem.names(in: home)).compactMap { BackupID($0) }
  }

  func open(_ id: BackupID) throws(StoreError) -> Descriptor {
    let opened = try StoreError.readingIfPresent(fileSystem.openDirectory(id.description, in: home))
    guard let opened else { throw StoreError(.backupNotFound, "There is no backup “\(id)”.", path: home.path) }
    return opened
  }

  /// The list of a backup whose folder is open; what is wrong with it is thrown. With an id, it must be that one's.
  func list(of backup: Descriptor, _ id: BackupID? = nil) throws(BackupProblem) -> BackupList {
    func problem(_ reason: String) -> BackupProblem { BackupProblem(file: BackupList.fileName, reason: reason) }
    let bytes: [UInt8]
    do throws(FileSystemError) {
      let found = try fileSystem.contents(of: BackupList.fileName, in: backup, limit: BackupList.longestFile)
      if let failure = found.failure { throw failure }
      bytes = found.bytes
    } catch { throw problem(error.description) }
    let list: BackupList
    do throws(DocumentDamage) { list = try BackupList(checking: bytes) } catch { throw problem(error.reason) }
    if let id, list.id != id { throw problem("it is another backup's") }
    return list
  }

  /// What there is to say of a backup without reading its files through.
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

  /// Removes what a process that was killed has left. The lock is held.
  func sweep() throws(FileSystemError) {
    for name in try fileSystem.names(in: home) where name.hasPrefix(BackupPlace.temporary) {
      try fileSystem.removeTree(name, in: home)
    }
  }

  /// The name under which a backup is made.
  func temporaryName(_ id: BackupID) -> String { BackupPlace.temporary + id.description }

  /// Gives a backup whose files are all on the medium its name.
  func publish(_ id: BackupID) throws(FileSystemError) {
    try fileSystem.rename(temporaryName(id), in: home, to: id.description, in: home)
    try fileSystem.synchronizeDirectory(home)
  }

  func remove(_ id: BackupID) throws(FileSystemError) {
    // From one moment to the next it is none any more, so that half of one is never seen.
    try fileSystem.rename(id.description, in: home, to: temporaryName(id), in: home)
    try fileSystem.synchronizeDirectory(home)
    try fileSystem.removeTree(temporaryName(id), in: home)
  }
}

extension StoreFolder {
  /// Opens the folder alone, if it is there: nobody sees that somebody has it open.
  init(rootOf path: String, _ fileSystem: any FileSystem) throws(StoreError) {
    self.fileSystem = fileSystem
    self.path = try StoreFolder.normalized(path)
    do throws(StoreError) { _ = try openRoot() } catch {
      close()
      throw error
    }
  }
}
