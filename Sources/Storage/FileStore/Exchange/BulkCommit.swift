import Values

/// Makes an import that is too large for the journal a part of the store: new segments for the months it touches and for what the
/// journals tell of, a new journal, and at last a new manifest, which is the only step that counts. Others wait for the store's
/// lock meanwhile.
struct BulkCommit: ~Copyable {
  private let configuration: FileStore.Configuration
  private let content: ImportContent
  /// Has the store's lock.
  private let reading: StoreReading
  private let monitor: WorkMonitor

  init(
    _ configuration: FileStore.Configuration, _ content: ImportContent, _ reading: consuming StoreReading,
    _ monitor: WorkMonitor
  ) {
    self.configuration = configuration
    self.content = content
    self.reading = reading
    self.monitor = monitor
  }

  /// Does it; returns the new revision.
  func run(_ plan: ImportPlan) throws(StoreError) -> Int {
    guard let root = reading.folder.root, let journal = reading.folder.journal else {
      throw StoreError(.storeUnavailable, "The data folder disappeared.", path: configuration.folder)
    }
    let snapshot = reading.snapshot
    let base = snapshot.base
    let revision = try StoreError.revision(after: snapshot.revision)
    let (fileSystem, generation) = (configuration.fileSystem, base.nextGeneration)
    let next = try StoreError.writing(reading.content.nextJournal(journal, fileSystem))
    try SegmentFiles.remove(in: reading.folder) { _, found in found >= generation }
    let segments = try writeSegments(plan, generation, revision)
    // From here on it is too late to stop.
    try monitor.check()
    let manifest = Manifest(
      generation: generation, store: reading.folder.identity?.store ?? .zero, revision: revision, journal: next,
      segments: segments)
    guard !reading.folder.hasLostLock else {
      throw StoreError(
        .storeUnavailable, "The lock file was taken away during the import; nothing was imported.",
        path: configuration.folder)
    }
    // The manifest names a journal that is not there yet: with this it is known that nothing can be missing in it.
    var mark = LatestMarkWriter()
    mark.note(snapshot.revision, in: reading.folder, isDurable: true)
    mark.close(fileSystem)
    try ManifestFiles(folder: reading.folder, root: root).publish(manifest, replacing: base, configuration)
    // In this order: who goes on to the next journal must have met the seal. Without either all is well, too, for the next writer
    // starts that journal, and readers also look for a later manifest.
    sealPrevious(journal, successor: next, revision)
    if let file = try? fileSystem.createFile(JournalFile.name(next), in: journal) {
      fileSystem.close(file)
      try? fileSystem.synchronizeDirectory(journal)
    }
    return revision
  }

  /// Tells who reads on in the journal before that something came that is in no journal.
  private func sealPrevious(_ journal: Descriptor, successor: Int, _ revision: Int) {
    let fileSystem = configuration.fileSystem
    guard let place = reading.content.follower.position, place.tail == .whole || place.tail == .torn,
      let file = try? fileSystem.openFile(JournalFile.name(place.file), in: journal, for: .appending)
    else { return }
    defer { fileSystem.close(file) }
    let healing = place.tail == .torn ? Array("\(LineSuffix.torn)\n".utf8) : []
    let seal = JournalLine.seal(successor: JournalFile.name(successor), revision: revision).bytes
    guard fileSystem.appendAll(healing + seal, to: file).failure == nil else { return }
    try? fileSystem.synchronizeFile(file)
  }

  // MARK: segments

  private func writeSegments(_ plan: ImportPlan, _ generation: Int, _ revision: Int) throws(StoreError)
    -> [SegmentEntry]
  {
    let snapshot = reading.snapshot
    var keys = plan.touched
    for collection in snapshot.collections {
      for month in snapshot.months(of: collection) where snapshot.changes(of: month, in: collection) != nil {
        if let key = SegmentKey(collection, month) { keys.insert(key) }
      }
    }
    let new = try newLines(plan)
    for key in new.keys { keys.insert(key) }
    let job = BulkSegments(
      content: content, snapshot: snapshot, folder: reading.folder, plan: plan, new: new, generation: generation,
      revision: revision, count: keys.count, monitor: monitor,
      removed: Set(plan.removals.map { RecordName(collection: $0.collection, id: $0.id) }))
    let written = try job.write(keys.sorted(), threads: configuration.isInline ? 1 : BulkCommit.threads)
    monitor.report(100)
    return SegmentFiles.entries(written, replacing: snapshot.base.allEntries)
  }

  /// So many threads build and write segments: while one waits for the disk, others work.
  private static let threads = 4

  /// The lines to be put, by month, in order of positions.
  private func newLines(_ plan: ImportPlan) throws(StoreError) -> [SegmentKey: [ImportLine]] {
    var months: [SegmentKey: [ImportLine]] = [:]
    var isOrdered = true
    var (last, lastKey): (ImportLine?, SegmentKey?) = (nil, nil)
    for (index, line) in content.lines.enumerated() where plan.puts[index] {
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
