import Platform

extension Doctor {
  /// The steps of a repair in plain words, in order.
  package struct Repair: Sendable, Equatable { package var steps: [String] = [] }

  /// Repairs what can be repaired. Damaged data is copied into the quarantine before anything replaces it, and nothing
  /// is removed that is not kept there.
  ///
  /// - Throws: Why it could not continue; completed steps are consistent.
  package func repair() throws(StoreError) -> Repair {
    var repair = Repair()
    let found = examine()
    guard !found.isFine else { return repair }
    if found.findings.contains(where: { $0.kind == .unfinishedErasure }) {
      try FileStore.open(configuration).close()
      repair.steps.append("finished deleting everything")
      return repair
    }
    if found.findings.contains(where: { $0.kind == .noStore || $0.kind == .unusableFolder }) { return repair }
    try checkWritable()
    try repairModes(&repair)
    if found.findings.contains(where: \.needsWriter) { try write(&repair) }
    if found.findings.contains(where: \.needsCheckpoint) { try checkpoint(&repair) }
    try tidy(&repair)
    return repair
  }

  private func checkWritable() throws(StoreError) {
    var folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    try folder.checkWritable()
  }

  private func repairModes(_ repair: inout Repair) throws(StoreError) {
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    var survey = FolderSurvey(folder, now: configuration.now())
    survey.run()
    for file in survey.tooOpen {
      try folder.close(toOthers: file)
      repair.steps.append("closed \(file.isEmpty ? "the folder" : file) to others")
    }
    // Writes would fail there, now or later.
    guard let obstacle = survey.obstacles.first else { return }
    throw StoreError(
      .storeUntrusted,
      "Something else has the name of one of the store's files or folders: move it away first.",
      path: configuration.folder + "/" + obstacle)
  }

  /// Enters and leaves the store as a writer, which recreates what every writer needs.
  private func write(_ repair: inout Repair) throws(StoreError) {
    let store = try FileStore.open(configuration)
    defer { store.close() }
    _ = try store.revision
    let hadIdentity = store.identity != nil
    let lost = store.loaded?.follower.lost
    try retrying { () throws(StoreError) in try store.beginWriting() ? nil : store.busy }
    store.endWriting()
    try store.settle()
    if let lost, !lost.journal.isEmpty {
      repair.steps.append("put changes that only \(AheadFile.fileName) had into a journal")
    }
    if !hadIdentity, let identity = store.identity {
      repair.steps.append("wrote a new store.json for the store \(identity.store)")
    }
  }

  /// Rewrites everything that is damaged.
  private func checkpoint(_ repair: inout Repair) throws(StoreError) {
    let busy = StoreError(
      .storeBusy, "Another process is making a checkpoint; try again in a moment.", path: configuration.folder)
    try retrying { () throws(StoreError) in
      guard var checkpoint = try Checkpoint(configuration, repairs: true) else { return busy }
      var hasWaited = 0
      try checkpoint.run {
        Threads.rest(milliseconds: 1)
        hasWaited += 1
        return hasWaited < Doctor.longestWait
      }
      return hasWaited < Doctor.longestWait ? nil : busy
    }
    repair.steps.append("rewrote everything that was damaged, and the manifest")
  }

  /// Moves unneeded files into the quarantine.
  private func tidy(_ repair: inout Repair) throws(StoreError) {
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    // A checkpoint's new files look unreferenced until it is done.
    guard let checkpointLock = try Checkpoint.tryLock(in: folder) else { return }
    defer { configuration.fileSystem.close(checkpointLock) }
    var survey = FolderSurvey(folder, now: configuration.now(), holdsLock: true)
    survey.run()
    let quarantine = Quarantine(folder: folder, now: configuration.now())
    for (file, kind, reason) in survey.removable {
      guard try quarantine.moveIn(file, kind, reason) else { continue }
      repair.steps.append("moved \(file) into quarantine/: \(reason)")
    }
  }

  /// How long to wait for others, in milliseconds.
  private static let longestWait = 5000

  /// Retries `body` until it returns no reason to wait.
  private func retrying(_ body: () throws(StoreError) -> StoreError?) throws(StoreError) {
    for _ in 0..<(Doctor.longestWait / 10) {
      guard try body() != nil else { return }
      Threads.rest(milliseconds: 10)
    }
    if let error = try body() { throw error }
  }
}

extension Finding {
  /// Whether a writer repairs it by recreating what is missing.
  fileprivate var needsWriter: Bool {
    needsCheckpoint || kind == .identityLost || kind == .restoredJournal
  }

  /// Whether a checkpoint repairs it.
  fileprivate var needsCheckpoint: Bool {
    switch kind {
    case .brokenNewline, .sequenceFork, .damagedManifest, .missingManifest, .olderManifest, .repairedSegment,
      .restoredSegment, .damagedHistory:
      true
    default: kind.isLossPossible && kind != .unusableFolder
    }
  }
}

extension StoreFolder {
  /// Removes permissions of others from this folder, or from a file or folder in it.
  fileprivate func close(toOthers file: String) throws(StoreError) {
    guard let root else { return }
    try StoreError.writing { () throws(FileSystemError) in
      var tree = FolderTree(fileSystem, root)
      let place = try tree.place(of: file)
      let at =
        if file.isEmpty { root } else if try fileSystem.status(of: place.name, in: place.folder).kind == .directory {
          try fileSystem.openDirectory(place.name, in: place.folder)
        } else { try fileSystem.openFile(place.name, in: place.folder, for: .reading) }
      defer { if at != root { fileSystem.close(at) } }
      try repairMode(of: at)
    }
  }
}
