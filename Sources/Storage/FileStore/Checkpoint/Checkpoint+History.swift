extension Checkpoint {
  /// The number of older journals to keep: in a store with many quiet moments they are short, and each start lists
  /// their names.
  private static let mostHistory = 100

  /// The older journals to keep, as many as the last two manifests need and the limit allows, and those that this
  /// checkpoint's cleaning will remove. Segments that may have to be rebuilt from the latter are verified while they
  /// still exist.
  func keptHistory(_ content: LoadedStore) throws(StoreError) -> (
    kept: [Manifest.HistoryEntry], dropped: [Manifest.HistoryEntry]
  ) {
    guard let manifests = folder.manifests else { return ([], []) }
    let base = content.memory.snapshot.base
    var entries = repairs ? intact(base.history) : base.history
    for number in content.follower.numbers where number < nextJournal {
      entries.append(try historyEntry(number, content.follower))
    }
    // Without an older manifest, the journals must cover its span.
    var needed = base.generation > 0 ? base.journal : 0
    var older: [Manifest?] = []
    for generation in try manifests.predecessors() where generation < base.generation {
      older.append(try manifests.manifest(ManifestFiles.Name.predecessor(generation)))
    }
    if let manifest = older.first ?? nil { needed = min(needed, manifest.journal) }
    var bytes = entries.reduce(0) { $0 + $1.bytes }
    var count = 0
    let limit = isDiskFull ? 0 : configuration.historyLimit
    while count < entries.count, entries[count].number < needed,
      bytes > limit || entries.count - count > Checkpoint.mostHistory
    {
      bytes -= entries[count].bytes
      count += 1
    }
    let kept = Array(entries[count...])
    // A journal missing from the new manifest remains while an older manifest names it; those before the newest
    // predecessor's first are removed.
    let first = min(
      kept.first?.number ?? nextJournal, base.history.first?.number ?? base.journal,
      older.first.flatMap { $0?.firstJournal } ?? .max)
    return (kept, older.dropFirst().flatMap { $0?.history ?? [] }.filter { $0.number < first })
  }

  /// The older journals after the last damaged one; undo and the changes feed reach back to there.
  private func intact(_ history: [Manifest.HistoryEntry]) -> [Manifest.HistoryEntry] {
    guard let journal = folder.journal else { return [] }
    let last = history.lastIndex { entry in
      (try? folder.fileSystem.hash(JournalFile.name(entry.number), in: journal))?.sha256 != entry.sha256
    }
    return last.map { Array(history[($0 + 1)...]) } ?? history
  }

  private func historyEntry(_ number: Int, _ follower: JournalFollower) throws(StoreError) -> Manifest.HistoryEntry {
    guard let journal = folder.journal else { throw StoreError(.storeUnavailable, "There are no journals.") }
    // Undo later compares the journal with this hash.
    let (bytes, sha256) = try StoreError.reading(folder.fileSystem.hash(JournalFile.name(number), in: journal))
    let revisions = follower.revisions(of: number)
    return Manifest.HistoryEntry(
      number: number, bytes: bytes, sha256: sha256, firstRevision: revisions.first, lastRevision: revisions.last)
  }
}

extension Manifest {
  /// The number of the first journal that it names.
  var firstJournal: Int { history.first?.number ?? head.journal }
}

extension Manifest.HistoryEntry {
  /// Whether a segment may contain transactions of the journal.
  func overlaps(_ entry: SegmentEntry) -> Bool {
    firstRevision <= entry.maxRevision && entry.minRevision <= lastRevision
  }
}
