/// Verifies every byte of a backup.
struct BackupCheck {
  let configuration: FileStore.Configuration
  let folder: Descriptor
  static let maximumProblems = 100

  /// What is wrong: a file that differs from its list entry, or a store that does not open without loss or has another
  /// number of records or another revision. A read error counts only if it repeats.
  func problems(of list: BackupList, _ monitor: WorkMonitor) throws(StoreError) -> [BackupProblem] {
    var hasReadError = false
    let found = try problems(of: list, monitor, &hasReadError)
    return hasReadError ? try problems(of: list, monitor, &hasReadError) : found
  }

  private func problems(of list: BackupList, _ monitor: WorkMonitor, _ hasReadError: inout Bool) throws(StoreError)
    -> [BackupProblem]
  {
    var problems: [BackupProblem] = []
    var tree = FolderTree(configuration.fileSystem, folder)
    let total = max(1, list.bytes)
    var done = 0
    for file in list.files {
      try monitor.check()
      do throws(FileSystemError) {
        let place = try tree.place(of: file.name)
        let found = try configuration.fileSystem.hash(place.name, in: place.folder)
        if found.bytes != file.bytes {
          problems.append(BackupProblem(file: file.name, reason: "it has \(found.bytes) bytes, not \(file.bytes)"))
        } else if found.sha256 != file.sha256 {
          problems.append(BackupProblem(file: file.name, reason: "its hash differs from the list"))
        }
      } catch {
        hasReadError = hasReadError || error.reason == .inputOutput
        problems.append(BackupProblem(file: file.name, reason: error.description))
      }
      done += file.bytes
      monitor.report(done / 2 * 100 / total)
      if problems.count >= BackupCheck.maximumProblems { return problems }
    }
    if list.isDamaged { return problems }
    return problems.isEmpty ? try storeProblems(list, monitor, &hasReadError) : problems
  }

  /// Opens the files as a store and reads every record.
  private func storeProblems(_ list: BackupList, _ monitor: WorkMonitor, _ hasReadError: inout Bool)
    throws(StoreError) -> [BackupProblem]
  {
    var reading = configuration
    reading.folder = folder.path
    reading.isReader = true
    reading.isInline = true
    do throws(StoreError) {
      let store = try FileStore.open(reading)
      defer { store.close() }
      let snapshot = try store.snapshot
      var count = 0
      let hidden = configuration.participants.ownCollections
      for key in try snapshot.keys() {
        try monitor.check()
        let isCounted = !hidden.contains(key.collection)
        snapshot.visit(key.month, of: key.collection) { _ in
          if isCounted { count += 1 }
          return true
        }
      }
      // Its files have just been read completely.
      hasReadError = hasReadError || store.recoveryReport.findings.contains { $0.kind == .unreadableRange }
      // Other findings, such as a line cut off once, were copied from the store.
      let losses = store.recoveryReport.findings.filter(\.kind.isLossPossible)
      var problems = losses.prefix(BackupCheck.maximumProblems).map {
        BackupProblem(file: $0.file, reason: "\($0.kind.rawValue): \($0.reason)")
      }
      if snapshot.revision != list.revision {
        problems.append(
          BackupProblem(
            file: BackupList.fileName, reason: "the store has revision \(snapshot.revision), not \(list.revision)"))
      }
      if count != list.records {
        problems.append(
          BackupProblem(file: BackupList.fileName, reason: "the store has \(count) records, not \(list.records)"))
      }
      if store.identity?.store != list.store {
        problems.append(BackupProblem(file: StoreFolder.Name.identity, reason: "it belongs to another store"))
      }
      monitor.report(100)
      return problems
    } catch  where error.code != .cancelled {
      hasReadError = hasReadError || error.details["call"] != nil
      return [BackupProblem(file: error.path ?? BackupList.fileName, reason: error.message)]
    }
  }
}
