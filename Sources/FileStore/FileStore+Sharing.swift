import CivilTime
import Values

extension FileStore {
  /// Enters the write window, taking the folder's lock and reading what others wrote if it is not open. False when another
  /// process has the lock, or has to have its turn: then try again a little later.
  ///
  /// Each call that returned true is followed by one of `endWriting`. Until then, and until everything committed is on disk, no
  /// other process writes; so what is checked against the present state holds.
  package func beginWriting() throws(StoreError) -> Bool {
    try checkOpen()
    if let refusal { throw refusal }
    switch queue.enter() {
    case .open: return true
    case .full: return false
    case .closed: break
    }
    // Nothing can come back of a folder that was removed, nor be made in it: what stands under its name is the store.
    if folder.isRemoved { try reopen(locking: false) }
    try folder.prepareRoot()
    guard try folder.takeLock() else { return false }
    do throws(StoreError) {
      try catchUp(isLocked: true)
      if isIncomplete { try reopen(locking: true) }
      if let refusal { throw refusal }
      guard !isIncomplete else {
        throw StoreError(
          .storeUnavailable, "A part of the store cannot be read, so nothing is written over what may be in it.",
          path: folder.path)
      }
      if !folder.isPrepared {
        try prepare()
      } else if !folder.hasLookedForReserve || queue.hasReleasedReserve {
        if folder.keepReserve(configuration.reserveSize) { queue.note(hasReleasedReserve: false) }
      }
      // The first journal has just been made.
      if loaded?.follower.position == nil { try catchUp(isLocked: true) }
      guard folder.journal != nil, let lock = folder.lock else {
        throw StoreError(.storeUnavailable, "The data folder disappeared.", path: folder.path)
      }
      // Who had it last may be somebody else by now.
      if signedRevision == nil || signedRevision != loaded?.memory.revision {
        folder.signLock(now: configuration.now())
        signedRevision = loaded?.memory.revision
      }
      let start = WindowStart(
        folder: folder, opening: exchanges, position: loaded?.follower.position,
        firstJournal: loaded?.memory.snapshot.base.journal ?? 1, reserveSize: configuration.reserveSize)
      queue.open(lock, at: start)
    } catch {
      if let lock = folder.lock { configuration.fileSystem.unlock(lock) }
      throw error
    }
    return true
  }

  /// Makes what a writer needs and is not there, under the lock.
  private func prepare() throws(StoreError) {
    let identity = StoreIdentity(
      format: StoreIdentity.currentFormat, store: loaded?.memory.snapshot.base.store ?? configuration.newID(),
      replica: configuration.newID(), createdAt: configuration.now())
    try folder.prepare(
      identity: identity,
      temporaryName: "\(StoreFolder.Name.identity).\(configuration.fileSystem.processID).\(configuration.newID())",
      reserve: configuration.reserveSize)
  }

  /// Whether the medium refused to give up something, so that what is known is not all there is.
  private var isIncomplete: Bool {
    guard let loaded else { return false }
    return loaded.follower.isIncomplete || loaded.memory.snapshot.base.isIncomplete
  }

  /// Whether there is no data folder yet, so that there is nothing to lock, and nothing should be made before something is
  /// stored.
  package var isAbsent: Bool {
    get throws(StoreError) {
      if folder.root == nil { try lookForMissing() }
      return folder.root == nil
    }
  }

  /// Leaves the window; the lock goes when everything committed in it is on disk.
  package func endWriting() {
    if restsOnOthers, queue.isUnused { synchronizeOthers() }
    queue.leave()
    checkpointIfDue()
  }

  /// A write that found nothing to do is answered because of what others have written, who may have died before that was on
  /// the medium: then it is put there now, before the answer leaves.
  private func synchronizeOthers() {
    guard let loaded, let journal = folder.journal, let place = loaded.follower.position else { return }
    let fileSystem = configuration.fileSystem
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(JournalFile.name(place.file), in: journal, for: .appending)
      defer { fileSystem.close(file) }
      try fileSystem.synchronizeFile(file)
      restsOnOthers = false
    } catch {
      queue.refuse(StoreError(writing: error))
    }
  }

  /// The error of a write that waited in vain.
  package var busy: StoreError {
    let holder = folder.holder
    return StoreError(
      .storeBusy, "Another process is writing to the store (last writer: \(holder)).", path: folder.path,
      details: ["holder": holder])
  }

  /// What opening and reading found that is not as it should be.
  package var recoveryReport: RecoveryReport {
    var report = openingReport
    if folder.identity == nil, loaded?.follower.position != nil,
      !report.findings.contains(where: { $0.kind == .identityLost })
    {
      report.note(
        RecoveryFinding(
          kind: .identityLost, file: StoreFolder.Name.identity, offset: 0, length: 0, previousSequence: 0,
          reason: "the file is missing"))
    }
    for finding in loader.findings { report.noteOnce(finding) }
    guard let follower = loaded?.follower else { return report }
    report.append(follower.report)
    if let tear = follower.tear { report.note(tear) }
    return report
  }
}
