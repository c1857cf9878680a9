import CivilTime
import Values

extension FileStore {
  /// Takes in what other processes were answered before this is called; to be called before requests are answered. Whether anything
  /// changed. Costs no system call when nothing did, and one where the mark cannot be mapped.
  @discardableResult package func follow() throws(StoreError) -> Bool {
    try checkOpen()
    // Nobody else can have written while the window is open.
    guard !queue.hasWindow, let loaded else { return false }
    if mustLookAround { return try lookAround() }
    if !hasLookedForMark { lookForMark() }
    guard let mark, let words = mark.words else { return try isFresh(loaded) ? false : lookAround() }
    guard words != mark.seen else { return false }
    self.mark?.seen = words
    if words == MappedMark.words(of: loaded.memory.revision) { return false }
    return try lookAround()
  }

  /// Whether nothing was added, as far as one call tells: to the journal; or, where there was none, a journal.
  private func isFresh(_ loaded: LoadedStore) throws(StoreError) -> Bool {
    guard folder.journal == nil else {
      try skipOwnWrites(loaded)
      return loaded.follower.isAtEnd
    }
    return (try? configuration.fileSystem.status(path: folder.path + "/" + StoreFolder.Name.journal)) == nil
  }

  /// The same, looking also for what the mark does not tell, and not the journal's length: lines whose writer died before it noted
  /// them, later segments, another folder instead of this one. To be called from time to time.
  @discardableResult package func lookAround() throws(StoreError) -> Bool {
    try checkOpen()
    guard !queue.hasWindow, let loaded else { return false }
    let before = loaded.memory.revision
    defer { checkpointIfDue() }
    mustLookAround = true
    try catchUp(isLocked: false)
    mustLookAround = false
    if hasLookedForMark { lookForMark() }
    return self.loaded !== loaded || loaded.memory.revision != before
  }

  /// Maps the mark, if it is not the one that is mapped. A mark that others have removed, replaced or given a second name since is
  /// found here: until then changes may show this much later.
  private func lookForMark() {
    hasLookedForMark = true
    guard mark?.isInPlace(folder) != true else { return }
    mark = MappedMark(folder)
  }

  /// The paths at which something happens when another process changes the store.
  package var watchedPaths: [String] {
    var paths = [folder.path]
    guard let journal = folder.journal else { return paths }
    paths.append(journal.path)
    if let position = loaded?.follower.position { paths.append(journal.path + "/" + JournalFile.name(position.file)) }
    return paths
  }

  /// The revision of the last transaction in memory; nil while nothing was read.
  package var knownRevision: Int? { loaded?.memory.revision }

  /// The revision of the last transaction, found without reading everything when nothing was read yet: what the end of the
  /// journal says, if that is in order.
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

  /// What is in memory, read now if it was not yet.
  @discardableResult func load() throws(StoreError) -> LoadedStore {
    try checkOpen()
    if let loaded { return loaded }
    try leaveIfErased()
    try lookForMissing()
    prepareLoader()
    let extent = LoadedStore.Extent(
      retainedChanges: configuration.retainedChanges, undoDepth: configuration.undoDepth,
      recentTransactions: configuration.recentTransactions)
    let new = try LoadedStore.read(folder, loader, &openingReport, extent)
    new.tailBytes = new.follower.position?.size ?? 0
    loaded = new
    storePreview = nil
    settled(new)
    return new
  }

  /// Takes in everything there is, also when the folder was exchanged meanwhile.
  func catchUp(isLocked: Bool) throws(StoreError) {
    if try isExchanged(writing: isLocked) { try reopen(locking: isLocked) }
    guard let loaded else {
      try load()
      return
    }
    try lookForMissing()
    let before = loaded.memory.revision
    do throws(StoreError) {
      try skipOwnWrites(loaded)
      let base = loaded.memory.snapshot.base
      // First the manifest: it says when there is something that the journals do not tell of.
      let later = try base.successor(folder, loader, &openingReport)
      configuration.followed.move(loaded, exchanges: exchanges)
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
    if loaded.memory.revision != before { settled(loaded) }
  }

  /// Opens what was not there when this process looked, and another one may have made since.
  func lookForMissing() throws(StoreError) {
    if folder.root == nil {
      guard try folder.openRoot() else { return }
      try folder.finishErasing()
    }
    if folder.identity == nil, folder.obstacle == nil { try folder.readIdentity(&openingReport) }
    try folder.openJournal(&openingReport)
  }

  /// Opens the folder again if the store that was opened, and not read yet, is there no more.
  func leaveIfErased() throws(StoreError) {
    guard loaded == nil, !queue.hasWindow, let presence = folder.presence,
      (try? configuration.fileSystem.status(of: presence).linkCount) == 0
    else { return }
    try openAgain()
  }

  private func openAgain() throws(StoreError) {
    exchanges += 1
    storePreview = nil
    (mark, hasLookedForMark) = (nil, false)
    folder.close()
    openingReport = RecoveryReport()
    folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &openingReport)
    loader = SegmentLoader(folder, configuration)
  }

  /// Goes on behind what this process wrote itself.
  func skipOwnWrites(_ loaded: LoadedStore) throws(StoreError) {
    guard let written = queue.takePosition() else { return }
    try loaded.follower.skip(to: written, sequence: loaded.memory.revision, folder)
  }

  /// What others wrote is on disk as far as can be known.
  private func settled(_ loaded: LoadedStore) {
    loaded.memory.settle(durable: loaded.memory.revision)
    queue.advance(to: loaded.memory.revision)
  }

  /// Whether the folder's name stands for another folder by now, or its identity for another store.
  private func isExchanged(writing: Bool) throws(StoreError) -> Bool {
    guard let root = folder.root else { return false }
    let fileSystem = configuration.fileSystem
    let mine = try StoreError.reading(fileSystem.status(of: root))
    let named = try StoreError.readingIfPresent(fileSystem.status(path: folder.path))
    guard let named else {
      // It may be on its way back: what is known stays known, but nothing can be written.
      guard writing else { return false }
      throw StoreError(.storeUnavailable, "The data folder is gone.", path: folder.path)
    }
    guard named.isSameFile(as: mine) else { return true }
    guard let presence = folder.presence else { return false }
    let identity = try StoreError.readingIfPresent(fileSystem.status(of: StoreFolder.Name.identity, in: root))
    let held = try StoreError.reading(fileSystem.status(of: presence))
    // It is missing because it was removed, and not because it was never there.
    return identity.map { !$0.isSameFile(as: held) } ?? (held.linkCount == 0)
  }

  /// Drops everything and reads the folder again, under the same lock if it is held.
  func reopen(locking: Bool) throws(StoreError) {
    signedRevision = nil
    // Where this process left the journals of another folder, or of another time, means nothing here.
    _ = queue.takePosition()
    queue.prove(0)
    loaded?.follower.close()
    loaded = nil
    try openAgain()
    if locking {
      try folder.prepareRoot()
      guard try folder.takeLock() else { throw busy }
    }
    try load()
  }
}
