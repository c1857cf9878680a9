import Values

extension FileStore {
  /// The records that changed after `revision`, about `limit` at most, those of some collections left out.
  ///
  /// - Throws: `revisionTooOld` when the journals do not reach back to it.
  package func changes(since revision: Int, limit: Int = .max, leavingOut hidden: Set<CollectionName> = [])
    throws(StoreError) -> ChangePage
  {
    let loaded = try load()
    if revision < loaded.memory.changes.floor { try loadHistory() }
    guard
      let page = loaded.memory.changes.page(
        since: revision, limit: limit, leavingOut: hidden, in: loaded.memory.snapshot)
    else {
      throw StoreError(
        .revisionTooOld, "The changes since revision \(revision) are not known; read everything again.",
        details: ["oldest": String(loaded.memory.changes.floor), "latest": String(loaded.memory.revision)])
    }
    return page
  }

  /// The records of some collections that changed after `revision`, in the order of their latest changes; nil when that is not known
  /// any more, or they were changed more than `limit` times.
  package func changes(since revision: Int, of collections: [CollectionName], atMost limit: Int) throws(StoreError)
    -> [ChangedRecord]?
  {
    let loaded = try load()
    if revision < loaded.memory.changes.floor { try loadHistory() }
    return loaded.memory.changes.records(
      since: revision, of: collections, atMost: limit, in: loaded.memory.snapshot)
  }

  /// The author's latest transaction that has a label that fits, is no undo, and was not undone; nil when there is none.
  package func undoEntry(author: String, matching: (String) -> Bool = { _ in true }) throws(StoreError) -> UndoEntry? {
    let loaded = try load()
    if let found = loaded.memory.undo.latest(author: author, matching: matching) { return found }
    try loadHistory()
    return loaded.memory.undo.latest(author: author, matching: matching)
  }

  /// A particular transaction, which may itself be an undo; with an author, only if it is theirs. Nil when it is not known any more.
  package func undoEntry(revision: Int, author: String? = nil) throws(StoreError) -> UndoEntry? {
    let loaded = try load()
    if loaded.memory.undo[revision] == nil { try loadHistory() }
    guard let entry = loaded.memory.undo[revision], author == nil || entry.author == author else { return nil }
    return entry
  }

  /// Reads the journals that a checkpoint has folded into segments and kept for this, once.
  func loadHistory() throws(StoreError) {
    let loaded = try load()
    let base = loaded.memory.snapshot.base
    guard !loaded.hasHistory, let first = base.history.first else { return }
    loaded.hasHistory = true
    let nothing = StoreBase(loader: loader, revision: first.firstRevision - 1, journal: first.number)
    var older = StoreMemory(
      base: nothing, retainedChanges: configuration.retainedChanges, undoDepth: configuration.undoDepth)
    var reader = JournalFollower(
      configuration.fileSystem, after: nothing.revision, recent: configuration.recentTransactions)
    defer { reader.close() }
    try reader.catchUp(folder, from: first.number, through: base.journal - 1, &older)
    // Where the last of them are missing, what they told of is not known.
    if let last = base.history.last { older.skip(to: last.lastRevision) }
    loaded.memory.prepend(older)
    loaded.olderTransactions = reader.recent
    // The records themselves are in the segments.
    for finding in reader.report.findings { openingReport.note(finding.ofHistory) }
  }
}
