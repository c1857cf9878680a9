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
    // What must not be written is not even locked.
    try load()
    if let refusal { throw refusal }
    try folder.prepareRoot()
    guard try folder.takeLock() else { return false }
    do throws(StoreError) {
      try catchUpAndPrepare()
      guard folder.journal != nil, let lock = folder.lock else {
        throw StoreError(.storeUnavailable, "The data folder disappeared.", path: folder.path)
      }
      // Who had it last may be somebody else by now.
      if signedRevision == nil || signedRevision != loaded?.memory.revision {
        folder.signLock(now: configuration.now())
        signedRevision = loaded?.memory.revision
      }
      let start = WindowStart(
        folder: folder, opening: exchanges, position: loaded?.follower.position, revision: loaded?.memory.revision ?? 0,
        firstJournal: loaded?.memory.snapshot.base.journal ?? 1, reserveSize: configuration.reserveSize)
      queue.open(lock, at: start)
    } catch {
      if let lock = folder.lock { configuration.fileSystem.unlock(lock) }
      throw error
    }
    return true
  }

  /// Takes in what others have written, and makes what is missing, under the lock.
  private func catchUpAndPrepare() throws(StoreError) {
    try catchUp(isLocked: true)
    if loaded?.isIncomplete == true { try reopen(locking: true) }
    if loaded?.follower.lost != nil {
      try bringBackLostLines()
      try reopen(locking: true)
    }
    if let refusal { throw refusal }
    guard loaded?.isIncomplete != true else {
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
    // Without a journal there is nothing to prove, and perhaps nothing is written that would finish this first.
    if loaded?.follower.position == nil, !folder.namesAreDurable {
      try StoreError.writing { () throws(FileSystemError) in try folder.finishPreparing() }
    }
  }

  /// Puts what the journals lack into one, on a full disk into the room that is kept for deletions.
  private func bringBackLostLines() throws(StoreError) {
    do throws(StoreError) { try folder.bringBackLostLines(now: configuration.now()) } catch {
      guard error.code == .diskFull, folder.releaseReserve(for: .deletions) else { throw error }
      queue.note(hasReleasedReserve: true)
      try folder.bringBackLostLines(now: configuration.now())
    }
  }

  /// Makes what a writer needs and is not there, under the lock.
  private func prepare() throws(StoreError) {
    let identity = StoreIdentity(
      format: StoreIdentity.currentFormat, store: loaded?.memory.snapshot.base.store ?? configuration.newID(),
      replica: configuration.newID(), createdAt: configuration.now())
    try folder.prepare(
      identity: identity, temporaryName: configuration.temporaryName(of: StoreFolder.Name.identity),
      reserve: configuration.reserveSize)
  }

  /// Whether there is no data folder yet, so that there is nothing to lock, and nothing should be made before something is
  /// stored.
  package var isAbsent: Bool {
    get throws(StoreError) {
      if folder.root == nil { try lookForMissing() }
      return folder.root == nil
    }
  }

  /// The status of the folder that is open, which tells it from another one that is put in its place; nil while there is none.
  package var home: FileStatus? {
    folder.root.flatMap { try? configuration.fileSystem.status(of: $0) }
  }

  /// Whether a write that found nothing to do has to wait: it is answered because of what others have written, who may have died
  /// before that was on the medium.
  package var needsProof: Bool {
    guard queue.isUnused, let loaded, loaded.follower.position != nil else { return false }
    return loaded.memory.revision > queue.provenRevision
  }

  /// Leaves the window; the lock goes when everything committed in it is on disk. If `needsProof`, what others have written is put
  /// there first: `onDurable` or `onCommitFailure` is called with the outcome, as for a commit.
  package func endWriting() {
    if needsProof, let loaded { prove(loaded.memory.revision) }
    queue.leave()
    checkpointIfDue()
  }

  private func prove(_ revision: Int) {
    do throws(StoreError) { try startThread() } catch { return fail(error, isFinal: false) }
    _ = queue.enqueue(.proof(of: revision))
    if configuration.isInline { drain() }
  }

  /// Waits until everything committed or to be proven is on the medium.
  ///
  /// - Throws: Why it is not; then it was rolled back.
  package func settle() throws(StoreError) {
    waitUntilDurable()
    guard let obstacle = queue.obstacle, obstacle.isFailure else { return }
    rollBack()
    throw obstacle.error
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
    if folder.identity == nil, folder.obstacle == nil, loaded?.follower.position != nil,
      !report.findings.contains(where: { $0.kind == .identityLost })
    {
      report.note(Finding(.identityLost, StoreFolder.Name.identity, "the file is missing"))
    }
    for finding in loader.findings { report.noteOnce(finding) }
    guard let follower = loaded?.follower else { return report }
    report.append(follower.report)
    if let tear = follower.tear { report.note(tear) }
    return report
  }
}
