import Values

extension Checkpoint {
  /// The older journals to keep: as many as the two manifests before the new one need, and as many as the limit allows; and those
  /// that are let go. What a damaged segment can be made of again is read a last time before it goes.
  func keptHistory(_ content: LoadedStore) throws(StoreError) -> (
    kept: [Manifest.HistoryEntry], released: ArraySlice<Manifest.HistoryEntry>
  ) {
    guard let manifests = folder.manifests else { return ([], []) }
    let base = content.memory.snapshot.base
    var entries = repairs ? intact(base.history) : base.history
    for number in content.follower.numbers where number < nextJournal {
      entries.append(try historyEntry(number, content.follower))
    }
    // Without an older manifest the journals have to do for it.
    var needed = base.generation > 0 ? base.journal : 0
    if let before = try manifests.predecessors().first(where: { $0 < base.generation }),
      let manifest = try manifests.manifest(ManifestFiles.Name.predecessor(before))
    {
      needed = min(needed, manifest.journal)
    }
    var bytes = entries.reduce(0) { $0 + $1.bytes }
    var count = 0
    let limit = needsRoom ? 0 : configuration.historyLimit
    while count < entries.count, entries[count].number < needed, bytes > limit {
      bytes -= entries[count].bytes
      count += 1
    }
    return (Array(entries[count...]), entries[..<count])
  }

  /// The older journals behind the last one that is not as it was: undo and the changes feed reach back to there.
  private func intact(_ history: [Manifest.HistoryEntry]) -> [Manifest.HistoryEntry] {
    guard let journal = folder.journal else { return [] }
    let last = history.lastIndex { entry in
      let found = try? folder.fileSystem.contents(of: JournalFile.name(entry.number), in: journal)
      return found.map { $0.failure != nil || SHA256.hash($0.bytes) != entry.sha256 } ?? true
    }
    return last.map { Array(history[($0 + 1)...]) } ?? history
  }

  private func historyEntry(_ number: Int, _ follower: JournalFollower) throws(StoreError) -> Manifest.HistoryEntry {
    guard let journal = folder.journal else { throw StoreError(.storeUnavailable, "There are no journals.") }
    let (bytes, failure, _) = try StoreError.reading(
      folder.fileSystem.contents(of: JournalFile.name(number), in: journal))
    // What is recorded of a journal is what undo compares it with later.
    if let failure { throw StoreError(reading: failure) }
    let revisions = follower.revisions(of: number)
    return Manifest.HistoryEntry(
      number: number, bytes: bytes.count, sha256: SHA256.hash(bytes), firstRevision: revisions.first,
      lastRevision: revisions.last)
  }
}

extension Manifest.HistoryEntry {
  /// Whether a segment may have what the journal tells.
  func meets(_ entry: SegmentEntry) -> Bool { firstRevision <= entry.maxRevision && entry.minRevision <= lastRevision }
}
