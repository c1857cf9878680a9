extension FileStore {
  /// Enters the write window. If it is closed, takes the folder's lock and reads what others wrote. False when another
  /// process holds the lock or is due its turn: retry a little later.
  ///
  /// Each call that returned true is paired with one `endWriting`. Until then, and until everything committed is
  /// durable, no other process writes, so checks against the current state stay valid.
  package func beginWriting() throws(StoreError) -> Bool {
    try checkOpen()
    if let refusal { throw refusal }
    switch queue.enter() {
    case .open: return true
    case .full: return false
    case .closed: break
    }
    // A removed folder never comes back, and nothing can be created in it: the store is what its path names now.
    if folder.isRemoved { try reopen(locking: false) }
    // A store that must not be written is not locked either.
    try load()
    if let refusal { throw refusal }
    try folder.prepareRoot()
    guard try folder.acquireLock() else { return false }
    do throws(StoreError) {
      try catchUpAndPrepare()
      guard folder.journal != nil, let lock = folder.lock else {
        throw StoreError(.storeUnavailable, "The data folder disappeared.", path: folder.path)
      }
      // The lock's text names the last holder, which may have changed.
      if signedRevision == nil || signedRevision != loaded?.memory.revision {
        folder.signLock(now: configuration.now())
        signedRevision = loaded?.memory.revision
      }
      let start = WindowStart(
        folder: folder, opening: replacements, position: loaded?.follower.position,
        revision: loaded?.memory.revision ?? 0,
        firstJournal: loaded?.memory.snapshot.base.journal ?? 1, reserveSize: configuration.reserveSize)
      queue.open(lock, at: start)
    } catch {
      if let lock = folder.lock { configuration.fileSystem.unlock(lock) }
      throw error
    }
    return true
  }

  /// Reads what others wrote and creates what is missing, under the lock.
  private func catchUpAndPrepare() throws(StoreError) {
    try catchUp(isLocked: true)
    if loaded?.isIncomplete == true { try reopen(locking: true) }
    if loaded?.follower.lost != nil {
      try restoreLostLines()
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
    } else if !folder.hasCheckedReserve || queue.hasReleasedReserve {
      if folder.keepReserve(configuration.reserveSize) { queue.note(hasReleasedReserve: false) }
    }
    // The first journal was just created.
    if loaded?.follower.position == nil { try catchUp(isLocked: true) }
    // Without a journal there is nothing to prove, and possibly no write that would finish the preparation.
    if loaded?.follower.position == nil, !folder.namesAreDurable {
      try StoreError.writing { () throws(FileSystemError) in try folder.finishPreparing() }
    }
  }

  /// Writes lost lines into a journal; on a full disk it uses the reserve for deletions.
  private func restoreLostLines() throws(StoreError) {
    do throws(StoreError) { try folder.restoreLostLines(now: configuration.now()) } catch {
      guard error.code == .diskFull, folder.releaseReserve(for: .deletions) else { throw error }
      queue.note(hasReleasedReserve: true)
      try folder.restoreLostLines(now: configuration.now())
    }
  }

  /// Creates what a writer needs, under the lock.
  private func prepare() throws(StoreError) {
    let identity = StoreIdentity(
      format: StoreIdentity.currentFormat, store: loaded?.memory.snapshot.base.store ?? configuration.newID(),
      replica: configuration.newID(), createdAt: configuration.now())
    try folder.prepare(
      identity: identity, temporaryName: configuration.temporaryName(of: StoreFolder.Name.identity),
      reserve: configuration.reserveSize)
  }

  /// Whether the data folder does not exist yet, so that there is nothing to lock, and nothing to create before the
  /// first change.
  package var isAbsent: Bool {
    get throws(StoreError) {
      if folder.root == nil { try openMissing() }
      return folder.root == nil
    }
  }

  /// The status of the open folder, which distinguishes it from a replacement; nil while there is none.
  package var home: FileStatus? {
    folder.root.flatMap { try? configuration.fileSystem.status(of: $0) }
  }

  /// Whether a write that changed nothing must wait before it is answered: its answer depends on what others wrote,
  /// and they may have died before syncing it.
  package var needsProof: Bool {
    guard queue.isUnused, let loaded, loaded.follower.position != nil else { return false }
    return loaded.memory.revision > queue.provenRevision
  }

  /// Leaves the window; the lock is released once everything committed in it is durable. If `needsProof`, what others
  /// wrote is synced first, and `onDurable` or `onCommitFailure` reports the outcome as for a commit.
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

  /// Waits until everything committed, or awaiting proof, is durable.
  ///
  /// - Throws: Why it is not; it was then rolled back.
  package func settle() throws(StoreError) {
    waitUntilDurable()
    guard let obstacle = queue.obstacle, obstacle.isFailure else { return }
    rollBack()
    throw obstacle.error
  }

  /// The error for a write that gave up waiting for the lock.
  package var busy: StoreError {
    let holder = folder.holder
    return StoreError(
      .storeBusy, "Another process is writing to the store (last writer: \(holder)).", path: folder.path,
      details: ["holder": holder])
  }

  /// The problems found while opening and reading.
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
