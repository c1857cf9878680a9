/// Commits an import that is too large for the journal: new segments for the months it touches and for those changed
/// in the journals, a new journal, and last a new manifest, which is the commit. Others wait for the store's lock
/// meanwhile.
struct BulkCommit {
  /// The store, inside its write window.
  let store: FileStore
  let content: ImportContent
  let monitor: WorkMonitor

  func run(_ plan: ImportPlan) throws(StoreError) -> Int {
    var folder = store.folder
    let (configuration, loaded) = (store.configuration, try store.load())
    try StoreError.writing { () throws(FileSystemError) in try folder.finishPreparing() }
    guard let root = folder.root, let journal = folder.journal else {
      throw StoreError(.storeUnavailable, "The data folder disappeared.", path: configuration.folder)
    }
    let snapshot = loaded.memory.snapshot
    let base = snapshot.base
    let revision = try StoreError.revision(after: snapshot.revision)
    let (fileSystem, generation) = (configuration.fileSystem, base.nextGeneration)
    let next = try StoreError.writing(loaded.nextJournal(journal, fileSystem))
    try SegmentFiles.remove(in: folder) { _, _, found in found >= generation }
    let segments = try writeSegments(plan, snapshot, revision)
    // The last chance to cancel.
    try monitor.check()
    let manifest = Manifest(
      generation: generation, store: folder.identity?.store ?? .zero, revision: revision,
      features: configuration.participants.features(of: snapshot), journal: next, segments: segments)
    guard !folder.hasLostLock else {
      throw StoreError(
        .storeUnavailable, "The lock file was removed during the import; nothing was imported.",
        path: configuration.folder)
    }
    // The manifest names a journal that does not exist yet: the mark shows that nothing can be missing in it.
    var mark = LatestMarkWriter()
    defer { mark.close(fileSystem) }
    mark.note(snapshot.revision, in: folder, isDurable: true)
    try ManifestFiles(folder: folder, root: root).publish(manifest, replacing: base, configuration)
    // In this order: a process that continues in the next journal must have seen the seal. Losing either is harmless,
    // since the next writer starts that journal, and readers also look for a newer manifest.
    sealPrevious(loaded.follower.position, journal, successor: next, revision)
    if let file = try? fileSystem.createFile(JournalFile.name(next), in: journal) {
      fileSystem.close(file)
      try? fileSystem.synchronizeDirectory(journal)
    }
    mark.note(revision, in: folder)
    return revision
  }

  /// Tells readers of the previous journal that changes came which no journal has.
  private func sealPrevious(_ last: JournalPosition?, _ journal: Descriptor, successor: Int, _ revision: Int) {
    let fileSystem = store.configuration.fileSystem
    guard let place = last, place.tail.takesLines,
      let file = try? fileSystem.openFile(JournalFile.name(place.file), in: journal, for: .appending)
    else { return }
    defer { fileSystem.close(file) }
    let seal = JournalLine.seal(successor: JournalFile.name(successor), revision: revision).bytes
    guard fileSystem.appendAll(place.tail.healing + seal, to: file).failure == nil else { return }
    try? fileSystem.synchronizeFile(file)
  }

  // MARK: segments

  private func writeSegments(_ plan: ImportPlan, _ snapshot: Snapshot, _ revision: Int) throws(StoreError)
    -> [SegmentEntry]
  {
    let new = try newLines(plan)
    let changed = try snapshot.keys().filter { snapshot.changes(of: $0.month, in: $0.collection) != nil }
    let keys = plan.touched.union(changed).union(new.keys)
    let job = BulkSegments(
      content: content, snapshot: snapshot, folder: store.folder, plan: plan, new: new, revision: revision,
      count: keys.count, monitor: monitor,
      removed: Set(plan.removals.map { RecordName(collection: $0.collection, id: $0.id) }),
      digests: store.configuration.digests())
    let (written, digests) = try job.write(
      keys.sorted(), threads: store.configuration.isInline ? 1 : BulkCommit.threads)
    let entries = SegmentFiles.entries(written, replacing: snapshot.base.allEntries)
    // Others wait, so missing digests of older months are left to the next checkpoint.
    digests.write(
      for: entries, over: snapshot.base, generation: snapshot.base.nextGeneration, in: store.folder, reading: 0)
    monitor.report(100)
    return entries
  }

  /// The number of threads that build and write segments: while one waits for the disk, others work.
  private static let threads = 4

  /// The lines to put, by month, in order of positions.
  private func newLines(_ plan: ImportPlan) throws(StoreError) -> [SegmentKey: [ImportLine]] {
    var months: [SegmentKey: [ImportLine]] = [:]
    var isOrdered = true
    var (last, lastKey): (ImportLine?, SegmentKey?) = (nil, nil)
    for (index, line) in content.lines.enumerated() {
      if index & 63 == 0 { try monitor.check() }
      guard plan.puts[index] else { continue }
      let month = MonthKey(line.day)
      if let last, let lastKey, last.collection == line.collection, lastKey.month == month {
        isOrdered = isOrdered && last.position < line.position
        months[lastKey]?.append(line)
      } else {
        guard let key = SegmentKey(content.collections[line.collection], month) else {
          throw StoreError(
            .invalidTransaction, "A day cannot be stored.", details: ["line": String(line.number), "pointer": "/day"])
        }
        if let before = months[key]?.last { isOrdered = isOrdered && before.position < line.position }
        months[key, default: []].append(line)
        lastKey = key
      }
      last = line
    }
    if !isOrdered { months = months.mapValues { $0.sorted { $0.position < $1.position } } }
    return months
  }
}
