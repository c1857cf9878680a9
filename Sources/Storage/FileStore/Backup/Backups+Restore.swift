import Values

extension Backups {
  /// Requests that a backup replaces the store at the next start: verifies it completely, copies it into the data
  /// folder, and writes the request. An earlier pending request is replaced.
  ///
  /// - Throws: `backupNotFound`; `backupDamaged` when it is not entirely intact; `backupBusy`, `cancelled`, or write
  ///   errors; then nothing is requested.
  package func requestRestore(of id: BackupID, by author: String, _ monitor: WorkMonitor = WorkMonitor())
    throws(StoreError) -> RestoreRequest
  {
    let place = try BackupPlace.open(forWriting: configuration, monitor)
    let backup = try place.open(id)
    defer { configuration.fileSystem.close(backup) }
    let list = try verified(id, backup, place, monitor.part(0...60))
    var folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    guard let root = folder.root else { throw StoreError(.nothingStored, "There is no data folder.") }
    try folder.finishErasing()
    try StoreError.writing(Backups.sweepStagings(in: root, configuration.fileSystem))
    let request = RestoreRequest(
      backup: id, staging: RestoreRequest.stagingPrefix + configuration.newID().description,
      list: SHA256.hash(list.text), requestedBy: author, at: configuration.now())
    try stage(list, from: backup, in: root, request.staging, monitor.part(60...100))
    try configuration.replace(RestoreRequest.fileName, in: folder, with: request.text)
    try StoreError.writing(Backups.sweepStagings(in: root, configuration.fileSystem))
    return request
  }

  /// The restore pending for the next start, if any.
  package func pendingRestore() throws(StoreError) -> RestoreRequest? {
    var folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    guard let root = folder.root else { return nil }
    return Backups.pending(in: root, configuration.fileSystem)
  }

  // MARK: steps

  private func verified(_ id: BackupID, _ backup: Descriptor, _ place: borrowing BackupPlace, _ monitor: WorkMonitor)
    throws(StoreError) -> BackupList
  {
    func refuse(_ problem: BackupProblem?) -> StoreError {
      StoreError(
        .backupDamaged,
        "The backup cannot be restored: \(problem?.reason ?? "the store was damaged when it was made").",
        path: problem?.file)
    }
    let list: BackupList
    do throws(BackupProblem) { list = try place.list(of: backup, id) } catch { throw refuse(error) }
    guard !list.isDamaged else { throw refuse(nil) }
    let problems = try BackupCheck(configuration: configuration, folder: backup).problems(of: list, monitor)
    guard problems.isEmpty else { throw refuse(problems.first) }
    return list
  }

  /// Copies a backup into a new folder. No file is shared, because these files may become the store's.
  private func stage(
    _ list: BackupList, from backup: Descriptor, in root: Descriptor, _ name: String, _ monitor: WorkMonitor
  ) throws(StoreError) {
    let fileSystem = configuration.fileSystem
    let total = max(1, list.bytes)
    var done = 0
    do throws(FileSystemError) {
      try fileSystem.makeDirectory(name, in: root)
      let staging = try fileSystem.openDirectory(name, in: root)
      defer { fileSystem.close(staging) }
      var from = FolderTree(fileSystem, backup)
      var to = FolderTree(fileSystem, staging, creates: true)
      for file in list.files {
        let (source, target) = (try from.place(of: file.name), try to.place(of: file.name))
        let copy = try fileSystem.copy(source.name, in: source.folder, to: target.name, in: target.folder)
        guard copy == (file.bytes, file.sha256) else {
          throw FileSystemError.differs(file.name, "it differs from the verified backup")
        }
        done += file.bytes
        monitor.report(done * 100 / total)
      }
      try fileSystem.create(BackupList.fileName, in: staging, list.text)
      try to.synchronize()
      try fileSystem.synchronizeDirectory(root)
    } catch {
      try? fileSystem.removeTree(name, in: root)
      throw StoreError(writing: error)
    }
  }

  /// The pending request; nil when there is none or it is unreadable.
  static func pending(in root: Descriptor, _ fileSystem: any FileSystem) -> RestoreRequest? {
    guard let bytes = try? fileSystem.contents(of: RestoreRequest.fileName, in: root, limit: 1 << 16).bytes else {
      return nil
    }
    return try? RestoreRequest(checking: bytes)
  }

  /// Removes the staging folders that no request names. The lock of the backups is held.
  static func sweepStagings(in root: Descriptor, _ fileSystem: any FileSystem) throws(FileSystemError) {
    let pending = pending(in: root, fileSystem)?.staging
    for name in try fileSystem.names(in: root) where RestoreRequest.isStaging(name) && name != pending {
      try fileSystem.removeTree(name, in: root)
    }
  }
}
