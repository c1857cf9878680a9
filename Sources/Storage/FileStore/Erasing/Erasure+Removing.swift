extension Erasure {
  private var fileSystem: any FileSystem { folder.fileSystem }

  /// Removes everything, the marker last. Every step can be repeated.
  mutating func remove() throws(StoreError) {
    do throws(FileSystemError) {
      try removeRestores()
      try removeJournals()
      try removeSegments()
      try removeStoreFiles()
      if parts.contains(.backups) { try removeBackups() }
      if parts.contains(.quarantine) {
        try removeFiles(Quarantine.Name.folder) { name in Erasure.isQuarantined(name) ? \.quarantined : nil }
      }
      if parts.contains(.logs) { try removeFiles(Erasure.logFolder) { name in Erasure.isLog(name) ? \.logs : nil } }
      try fileSystem.synchronizeDirectory(root)
      try fileSystem.unlink(ErasureMarker.fileName, in: root)
      try fileSystem.synchronizeDirectory(root)
    } catch { throw StoreError(writing: error) }
  }

  // MARK: the parts

  private mutating func removeRestores() throws(FileSystemError) {
    for name in try fileSystem.names(in: root).sorted() {
      if name == RestoreRequest.fileName || Erasure.isFinishedRestore(name) {
        try remove(name, root, \.others)
      } else if RestoreRequest.isStaging(name), try fileSystem.status(of: name, in: root).kind == .directory {
        try fileSystem.removeTree(name, in: root)
      }
    }
  }

  /// The folders of journals and segments remain, empty, because others have them open.
  private mutating func removeJournals() throws(FileSystemError) {
    try removeFiles(StoreFolder.Name.journal) { name in JournalFile.number(of: name) != nil ? \.journals : nil }
  }

  private mutating func removeSegments() throws(FileSystemError) {
    guard let segments = try open(StoreFolder.Name.segments, in: root) else { return }
    defer { fileSystem.close(segments) }
    for name in try fileSystem.names(in: segments).sorted() where CollectionName(name).isFileName {
      guard let collection = try open(name, in: segments) else { continue }
      defer { fileSystem.close(collection) }
      for file in try fileSystem.names(in: collection).sorted() where SegmentFileName(file) != nil {
        try remove(file, collection, CollectionName(name).isOfDigests ? \.others : \.segments)
      }
      try fileSystem.synchronizeDirectory(collection)
      // It may contain files that are not ours.
      try? fileSystem.removeDirectory(name, in: segments)
    }
    try fileSystem.synchronizeDirectory(segments)
  }

  private mutating func removeStoreFiles() throws(FileSystemError) {
    let small = SmallFile.Name.allCases.filter { $0.isAmong(parts) }
    let own =
      [
        StoreFolder.Name.identity, LatestMark.fileName, AheadFile.fileName, StoreFolder.Name.reserve,
        StoreFolder.Name.checkpointReserve,
        StoreFolder.Name.scrubbed,
      ]
      + small.map(\.rawValue)
    let temporary = own + [RestoreRequest.fileName, "manifest"]
    // The journals are already removed: a process that notices the mark's change will find that.
    folder.invalidateMark()
    for name in try fileSystem.names(in: root).sorted() {
      if name == ManifestFiles.Name.current || ManifestFiles.Name.generation(of: name) != nil {
        try remove(name, root, \.manifests)
      } else if own.contains(name)
        || FolderSurvey.isTemporary(name) && temporary.contains(where: { name.hasPrefix($0 + ".") })
      {
        try remove(name, root, \.others)
      }
    }
  }

  private mutating func removeBackups() throws(FileSystemError) {
    guard let backups = try open(BackupPlace.folderName, in: root) else { return }
    defer { fileSystem.close(backups) }
    for name in try fileSystem.names(in: backups).sorted() {
      let isBackup = BackupID(name) != nil
      guard isBackup || name.hasPrefix(BackupPlace.temporary),
        try fileSystem.status(of: name, in: backups).kind == .directory
      else { continue }
      try fileSystem.removeTree(name, in: backups)
      if isBackup { counts.backups += 1 }
    }
    try fileSystem.synchronizeDirectory(backups)
  }

  // MARK: names

  /// `done-restore-….json` and `failed-restore-….json`.
  private static func isFinishedRestore(_ name: String) -> Bool {
    (name.hasPrefix("done-restore-") || name.hasPrefix("failed-restore-")) && name.hasSuffix(".json")
  }

  /// The list, and copies, whose names end in a checksum.
  private static func isQuarantined(_ name: String) -> Bool {
    guard name != Quarantine.Name.list else { return true }
    if name.hasSuffix(".new") { return true }
    guard let digits = name.split(separator: ".", omittingEmptySubsequences: false).last else { return false }
    return digits.utf8.count == 8 && digits.allSatisfy { ("0"..."9").contains($0) || ("a"..."f").contains($0) }
  }

  private static func isLog(_ name: String) -> Bool {
    name.hasSuffix(".log") || name.hasSuffix(".jsonl") || name.split(separator: ".").contains("log")
  }

  // MARK: files

  /// Removes the files of a folder for which `counter` returns a counter.
  private mutating func removeFiles(_ name: String, _ counter: (String) -> WritableKeyPath<Counts, Int>?)
    throws(FileSystemError)
  {
    guard let directory = try open(name, in: root) else { return }
    defer { fileSystem.close(directory) }
    for file in try fileSystem.names(in: directory).sorted() {
      if let count = counter(file) { try remove(file, directory, count) }
    }
    try fileSystem.synchronizeDirectory(directory)
  }

  private func open(_ name: String, in parent: Descriptor) throws(FileSystemError) -> Descriptor? {
    guard let status = try fileSystem.statusIfPresent(of: name, in: parent), status.kind == .directory,
      status.owner == fileSystem.userID
    else { return nil }
    return try fileSystem.openDirectory(name, in: parent)
  }

  /// Removes a file; folders and other users' files are left.
  private mutating func remove(_ name: String, _ directory: Descriptor, _ counter: WritableKeyPath<Counts, Int>)
    throws(FileSystemError)
  {
    guard let status = try fileSystem.statusIfPresent(of: name, in: directory), status.kind != .directory,
      status.owner == fileSystem.userID
    else { return }
    try fileSystem.unlink(name, in: directory)
    counts[keyPath: counter] += 1
  }
}

extension SmallFile.Name {
  /// Whether one of these parts includes it.
  func isAmong(_ parts: Erasure.Parts) -> Bool { parts.contains { $0.rawValue + ".json" == rawValue } }
}
