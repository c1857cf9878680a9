/// The outcome of looking for a pending restore.
package enum RestoreOutcome: Sendable, Equatable {
  case nothing
  /// It stays pending: other processes have the store open or are working on it.
  case waiting(BackupID)
  /// It is done; the store has that revision.
  case done(BackupID, revision: Int)
  /// It failed for the given reason and is retried at the next start.
  case postponed(BackupID, String)
  /// It failed for good or for the third time, and was set aside.
  case failed(String)
}

/// Carries out a pending restore before the store is opened. Afterwards the store is always entirely the old or
/// entirely the restored one, and the start continues.
package struct PendingRestore: ~Copyable {
  private let configuration: FileStore.Configuration
  private let place: BackupPlace
  private var folder: StoreFolder
  private let root: Descriptor
  private var request: RestoreRequest
  /// `store.json`, locked so that nobody can start to use the store unnoticed, and the lock of checkpoints.
  private var locks: [Descriptor] = []

  package static func waits(in configuration: FileStore.Configuration) -> Bool {
    (try? requestExists(configuration)) == true
  }

  /// To be called before the store is opened; only looks for one file when nothing is pending.
  package static func run(_ configuration: FileStore.Configuration) -> RestoreOutcome {
    // A folder that cannot be used is reported when it is opened.
    guard waits(in: configuration) else { return .nothing }
    do throws(StoreError) {
      guard try requestExists(configuration, finishesErasing: true) else { return .nothing }
      // A start does not wait.
      let place = try BackupPlace.open(forWriting: configuration, waitingUpTo: 0)
      let folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
      guard let root = folder.root else { return .nothing }
      guard let request = Backups.pending(in: root, configuration.fileSystem) else {
        var folder = folder
        defer { folder.close() }
        return setAside(unreadableIn: root, configuration)
      }
      var restore = PendingRestore(
        configuration: configuration, place: place, folder: folder, root: root, request: request)
      return restore.run()
    } catch {
      let backup = try? Backups(configuration).pendingRestore()?.backup
      if error.code == .backupBusy, let backup { return .waiting(backup) }
      return backup.map { .postponed($0, error.description) } ?? .failed(error.description)
    }
  }

  deinit {
    for lock in locks { configuration.fileSystem.close(lock) }
    var folder = folder
    folder.unlock()
    folder.close()
  }

  /// - Parameter finishesErasing: Whether an unfinished erasure is completed first, which drops the restore.
  private static func requestExists(_ configuration: FileStore.Configuration, finishesErasing: Bool = false)
    throws(StoreError) -> Bool
  {
    var folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    if finishesErasing { try folder.finishErasing() }
    guard let root = folder.root else { return false }
    return try StoreError.readingIfPresent(folder.fileSystem.status(of: RestoreRequest.fileName, in: root)) != nil
  }

  /// Sets aside an unreadable request for inspection.
  private static func setAside(unreadableIn root: Descriptor, _ configuration: FileStore.Configuration)
    -> RestoreOutcome
  {
    let name = "failed-restore-\(configuration.newID()).json"
    try? configuration.fileSystem.rename(RestoreRequest.fileName, in: root, to: name, in: root)
    try? configuration.fileSystem.synchronizeDirectory(root)
    return .failed("the request cannot be read; it was renamed to \(name)")
  }

  private var fileSystem: any FileSystem { configuration.fileSystem }

  private mutating func run() -> RestoreOutcome {
    do throws(StoreError) {
      // A crash may have come after the commit but before it was recorded.
      if let revision = try committedRevision() { return try finish(revision) }
      guard try acquireLocks() else { return .waiting(request.backup) }
      guard request.attempts < RestoreRequest.maximumAttempts else {
        return try giveUp("it failed \(request.attempts) times")
      }
      request.attempts += 1
      try write()
      let problems = try stagingProblems()
      if let problem = problems.first { return try giveUp("\(problem.file): \(problem.reason)") }
      try backUpPresent()
      return try finish(
        try RestoredStore(configuration, folder, staging: stagingPath).publish { manifest throws(StoreError) in
          request.manifest = manifest
          try write()
        })
    } catch { return .postponed(request.backup, error.description) }
  }

  private var stagingPath: String { folder.path + "/" + request.staging }

  /// Acquires all locks that keep others out; false when somebody uses the store.
  private mutating func acquireLocks() throws(StoreError) -> Bool {
    guard try folder.acquireLock() else { return false }
    let (fileSystem, root) = (fileSystem, root)
    let identity = try StoreError.readingIfPresent(
      fileSystem.openFile(StoreFolder.Name.identity, in: root, for: .reading))
    if let identity {
      locks.append(identity)
      let isAlone = try StoreError.writing(fileSystem.lock(identity, .exclusive))
      guard isAlone else { return false }
    }
    guard let lock = try Checkpoint.tryLock(in: folder) else { return false }
    locks.append(lock)
    return true
  }

  /// The revision of the restored store if it is already in place.
  private func committedRevision() throws(StoreError) -> Int? {
    guard let wanted = request.manifest else { return nil }
    let manifests = ManifestFiles(folder: folder, root: root)
    let names = [ManifestFiles.Name.current] + (try manifests.predecessors()).map(ManifestFiles.Name.predecessor)
    for name in names {
      guard let bytes = folder.ownContents(name, in: root, limit: ManifestFiles.longestFile),
        SHA256.hash(bytes) == wanted, case .readable(let manifest) = Manifest.read(bytes)
      else { continue }
      return manifest.revision
    }
    return nil
  }

  private func stagingProblems() throws(StoreError) -> [BackupProblem] {
    let (fileSystem, root) = (fileSystem, root)
    let opened = try StoreError.readingIfPresent(fileSystem.openDirectory(request.staging, in: root))
    guard let staging = opened else { return [BackupProblem(file: request.staging, reason: "it is missing")] }
    defer { fileSystem.close(staging) }
    let list: BackupList
    do throws(BackupProblem) { list = try place.list(of: staging) } catch { return [error] }
    guard SHA256.hash(list.text) == request.list else {
      return [BackupProblem(file: BackupList.fileName, reason: "it is not the verified list")]
    }
    return try BackupCheck(configuration: configuration, folder: staging).problems(of: list, WorkMonitor())
  }

  /// Makes a backup of the present store, once.
  private mutating func backUpPresent() throws(StoreError) {
    if let saved = request.saved, let backup = try? place.open(saved) { return fileSystem.close(backup) }
    do throws(StoreError) {
      let backup = try Backups(configuration).create(
        .beforeRestore, note: "before \(request.backup)", in: place, WorkMonitor())
      request.saved = backup.id
      try write()
    } catch  where error.code == .nothingStored {}
  }

  private func write() throws(StoreError) {
    try configuration.replace(RestoreRequest.fileName, in: folder, with: request.text)
  }

  // MARK: the end

  private mutating func finish(_ revision: Int) throws(StoreError) -> RestoreOutcome {
    request.outcome = "restored, as revision \(revision)"
    try end(isDone: true)
    return .done(request.backup, revision: revision)
  }

  private mutating func giveUp(_ reason: String) throws(StoreError) -> RestoreOutcome {
    request.outcome = reason
    try end(isDone: false)
    return .failed(reason)
  }

  /// Renames the request to mark it as finished, and removes the copied files.
  private func end(isDone: Bool) throws(StoreError) {
    try write()
    let (fileSystem, root, name) = (fileSystem, root, request.fileName(isDone: isDone))
    try StoreError.writing { () throws(FileSystemError) in
      try fileSystem.rename(RestoreRequest.fileName, in: root, to: name, in: root)
      try fileSystem.synchronizeDirectory(root)
    }
    // Remains are removed by the next request or backup.
    try? Backups.sweepStagings(in: root, fileSystem)
  }
}
