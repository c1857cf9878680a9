extension FileStore {
  /// A page of about `limit` records changed after `revision`, without those of `hidden` collections.
  ///
  /// - Throws: `revisionTooOld` when the retained journals do not reach back to `revision`.
  package func changes(since revision: Int, limit: Int = .max, leavingOut hidden: Set<CollectionName> = [])
    throws(StoreError) -> ChangePage
  {
    let loaded = try load()
    if revision < loaded.memory.changes.floor { try loadHistory() }
    guard
      let page = loaded.memory.changes.page(
        since: revision, limit: limit, leavingOut: hidden.union(ownCollections),
        in: loaded.memory.snapshot)
    else {
      throw StoreError(
        .revisionTooOld, "The changes since revision \(revision) are no longer known; read everything again.",
        details: ["oldest": String(loaded.memory.changes.floor), "latest": String(loaded.memory.revision)])
    }
    return page
  }

  /// The records of `collections` changed after `revision`, ordered by their latest change; nil when the history no
  /// longer reaches back, or there were more than `limit` changes.
  package func changes(since revision: Int, of collections: [CollectionName], atMost limit: Int) throws(StoreError)
    -> [ChangedRecord]?
  {
    let loaded = try load()
    if revision < loaded.memory.changes.floor { try loadHistory() }
    return loaded.memory.changes.records(
      since: revision, of: collections, atMost: limit, in: loaded.memory.snapshot)
  }

  /// The revisions after `revision` that changed a collection, as far as the history reaches back in memory.
  package func revisions(since revision: Int, of collection: CollectionName) -> Set<Int> {
    (try? load())?.memory.changes.revisions(since: revision, of: collection) ?? []
  }

  /// The author's latest transaction with a matching label that is neither an undo nor undone; nil when there is none.
  package func undoEntry(author: String, matching: (String) -> Bool = { _ in true }) throws(StoreError) -> UndoEntry? {
    let loaded = try load()
    if let found = loaded.memory.undo.latest(author: author, matching: matching) { return withoutBookkeeping(found) }
    try loadHistory()
    return loaded.memory.undo.latest(author: author, matching: matching).map(withoutBookkeeping)
  }

  /// One transaction, possibly itself an undo; with `author`, only if it is theirs. Nil when it is no longer known.
  package func undoEntry(revision: Int, author: String? = nil) throws(StoreError) -> UndoEntry? {
    let loaded = try load()
    if loaded.memory.undo[revision] == nil { try loadHistory() }
    guard let entry = loaded.memory.undo[revision], author == nil || entry.author == author else { return nil }
    return withoutBookkeeping(entry)
  }

  /// An undo leaves the collections of participants alone; they take part in it as in any change.
  private func withoutBookkeeping(_ entry: UndoEntry) -> UndoEntry {
    var entry = entry
    entry.leftOut = ownCollections
    return entry
  }

  /// Reads the journals already folded into segments but retained for history, once.
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
    // Revisions of missing journals count as unknown.
    if let last = base.history.last { older.skip(to: last.lastRevision) }
    loaded.memory.prepend(older)
    loaded.olderTransactions = reader.recent
    // The records themselves are in the segments, so nothing is lost.
    for finding in reader.report.findings { openingReport.note(finding.asHistoryDamage) }
  }
}
