extension FileStore {
  /// Reads what other processes committed before this call; to be called before answering requests. Returns whether
  /// anything changed. Costs no system call when nothing did, and one where the mark cannot be mapped.
  @discardableResult package func follow() throws(StoreError) -> Bool {
    try checkOpen()
    // Nobody else can have written while the window is open.
    guard !queue.hasWindow, let loaded else { return false }
    if mustRefresh { return try poll() }
    if !hasTriedMark { mapMark() }
    guard let mark, let words = mark.words else { return try isFresh(loaded) ? false : poll() }
    guard words != mark.seen else { return false }
    self.mark?.seen = words
    if words == MappedMark.words(of: loaded.memory.revision) { return false }
    return try poll()
  }

  /// Whether nothing was appended, as far as one call tells: the journal has not grown, or there still is none.
  private func isFresh(_ loaded: LoadedStore) throws(StoreError) -> Bool {
    guard folder.journal == nil else {
      try skipOwnWrites(loaded)
      return loaded.follower.isAtEnd
    }
    return (try? configuration.fileSystem.status(path: folder.path + "/" + StoreFolder.Name.journal)) == nil
  }

  /// Like `follow`, but also finds what neither the mark nor the journal's length shows: lines whose writer died
  /// before updating the mark, newer segments, a replaced folder. To be called from time to time.
  @discardableResult package func poll() throws(StoreError) -> Bool {
    try checkOpen()
    guard !queue.hasWindow, let loaded else { return false }
    let before = loaded.memory.revision
    defer { checkpointIfDue(isQuiet: self.loaded?.isQuiet(configuration) ?? false) }
    mustRefresh = true
    try catchUp(isLocked: false)
    mustRefresh = false
    if hasTriedMark { mapMark() }
    return self.loaded !== loaded || loaded.memory.revision != before
  }

  /// Maps the mark unless the mapped one is still in place. A mark that others removed, replaced or linked under a
  /// second name is noticed only here: until then changes may show this much later.
  private func mapMark() {
    hasTriedMark = true
    guard mark?.isInPlace(folder) != true else { return }
    mark = MappedMark(folder)
  }

  package var watchedPaths: [String] {
    var paths = [folder.path]
    guard let journal = folder.journal else { return paths }
    paths.append(journal.path)
    if let position = loaded?.follower.position { paths.append(journal.path + "/" + JournalFile.name(position.file)) }
    return paths
  }

  /// The revision of the last transaction in memory; nil before the first read.
  package var knownRevision: Int? { loaded?.memory.revision }

  /// The revision of the last transaction. Before the first read it comes from the journal's end, if that is in order,
  /// without reading everything.
  package var latestRevision: Int {
    get throws(StoreError) {
      guard loaded == nil else { return try revision }
      if let storePreview, storePreview.isCurrent(folder) { return storePreview.revision }
      if let revision = folder.lastRevision(), folder.latestNoted() ?? 0 <= revision { return revision }
      // As after a checkpoint: the last journal has no line yet.
      defer { endPreviews() }
      if let storePreview = currentPreview() { return storePreview.revision }
      return try revision
    }
  }

  /// The in-memory state, read from disk on first use.
  @discardableResult func load() throws(StoreError) -> LoadedStore {
    try checkOpen()
    if let loaded { return loaded }
    try reopenIfErased()
    try openMissing()
    prepareLoader()
    let retention = LoadedStore.Retention(
      retainedChanges: configuration.retainedChanges, undoDepth: configuration.undoDepth,
      recentTransactions: configuration.recentTransactions)
    let new = try LoadedStore.read(folder, loader, &openingReport, retention)
    new.tailBytes = new.follower.position?.size ?? 0
    loaded = new
    storePreview = nil
    markDurable(new)
    return new
  }

  /// Reads everything new, and reopens the folder if it was replaced.
  func catchUp(isLocked: Bool) throws(StoreError) {
    if try isReplaced(writing: isLocked) { try reopen(locking: isLocked) }
    guard let loaded else {
      try load()
      return
    }
    try openMissing()
    let before = loaded.memory.revision
    do throws(StoreError) {
      try skipOwnWrites(loaded)
      let base = loaded.memory.snapshot.base
      // The manifest comes first: it shows changes that no journal has.
      let later = try base.successor(folder, loader, &openingReport)
      configuration.followed.adopt(into: loaded, replacements: replacements)
      try loaded.follower.catchUp(folder, from: base.journal, &loaded.memory)
      if let later, later.revision <= loaded.memory.revision {
        loaded.memory.rebase(on: later)
        loaded.tailBytes = 0
        loader = later.loader
      }
    } catch {
      guard error.code == .storeChanged else { throw error }
      try reopen(locking: isLocked)
      return
    }
    if loaded.memory.revision != before { markDurable(loaded) }
  }

  /// Opens what was missing before and may have been created by another process since.
  func openMissing() throws(StoreError) {
    if folder.root == nil {
      guard try folder.openRoot() else { return }
      try folder.finishErasing()
    }
    if folder.identity == nil, folder.obstacle == nil { try folder.readIdentity(&openingReport) }
    try folder.openJournal(&openingReport)
  }

  /// Reopens the folder if the store that was opened, but not yet read, was erased.
  func reopenIfErased() throws(StoreError) {
    guard loaded == nil, !queue.hasWindow, let presence = folder.presence,
      (try? configuration.fileSystem.status(of: presence).linkCount) == 0
    else { return }
    try reopenFolder()
  }

  private func reopenFolder() throws(StoreError) {
    replacements += 1
    storePreview = nil
    (mark, hasTriedMark) = (nil, false)
    folder.close()
    openingReport = RecoveryReport()
    folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &openingReport)
    loader = SegmentLoader(folder, configuration)
  }

  /// Moves the follower past this process's own writes.
  func skipOwnWrites(_ loaded: LoadedStore) throws(StoreError) {
    guard let written = queue.takePosition() else { return }
    try loaded.follower.skip(to: written, sequence: loaded.memory.revision, folder)
  }

  /// Treats what was read as durable: others synced it, as far as can be known.
  private func markDurable(_ loaded: LoadedStore) {
    loaded.memory.settle(durable: loaded.memory.revision)
    queue.advance(to: loaded.memory.revision)
  }

  /// Whether the path now names another folder, or the folder holds another store.
  private func isReplaced(writing: Bool) throws(StoreError) -> Bool {
    guard let root = folder.root else { return false }
    let fileSystem = configuration.fileSystem
    let mine = try StoreError.reading(fileSystem.status(of: root))
    let named = try StoreError.readingIfPresent(fileSystem.status(path: folder.path))
    guard let named else {
      // The folder may come back: what is known stays valid, but nothing can be written.
      guard writing else { return false }
      throw StoreError(.storeUnavailable, "The data folder is gone.", path: folder.path)
    }
    guard named.isSameFile(as: mine) else { return true }
    guard let presence = folder.presence else { return false }
    let identity = try StoreError.readingIfPresent(fileSystem.status(of: StoreFolder.Name.identity, in: root))
    let held = try StoreError.reading(fileSystem.status(of: presence))
    // Missing because it was removed, not because it never existed.
    return identity.map { !$0.isSameFile(as: held) } ?? (held.linkCount == 0)
  }

  /// Drops everything and reads the folder again, retaking the lock if `locking`.
  func reopen(locking: Bool) throws(StoreError) {
    signedRevision = nil
    // This process's journal position means nothing in another folder or store.
    _ = queue.takePosition()
    queue.prove(0)
    loaded?.follower.close()
    loaded = nil
    try reopenFolder()
    if locking {
      try folder.prepareRoot()
      guard try folder.acquireLock() else { throw busy }
    }
    try load()
  }
}
