import Platform

/// Folds journals into segments. It works from the files alone, through its own descriptors, and takes the store's
/// lock only twice and briefly, so no answer waits for it. If it is killed, it leaves only unreferenced files.
package struct Checkpoint: ~Copyable {
  package enum Progress: Sendable {
    case advanced
    /// Another process holds the store's lock; retry the step.
    case busy
    case done
  }

  private enum Stage { case read, seal, write, publish, clean, done }

  let configuration: FileStore.Configuration
  var folder: StoreFolder
  /// Whether it is made to repair damage.
  let repairs: Bool
  /// The lock that only one checkpoint at a time holds.
  private let checkpointLock: Descriptor
  private var stage = Stage.read
  /// Whether the disk is full, so that the reserve is used and no unneeded older journal is kept.
  private(set) var isDiskFull = false
  /// The folder's content, read from its files.
  var content: LoadedStore?
  /// The number of the first journal that is not folded.
  private(set) var nextJournal = 0
  /// The older journals that the new manifest names.
  private var history: [Manifest.HistoryEntry] = []
  /// The segments written so far.
  private var written: [SegmentKey: SegmentEntry?] = [:]
  private(set) var report = RecoveryReport()

  /// Begins a checkpoint; nil when another one is running, or there is no store.
  ///
  /// - Parameter repairs: Whether it runs even if there is nothing to fold, and reads every segment to find damage.
  package init?(_ configuration: FileStore.Configuration, repairs: Bool = false) throws(StoreError) {
    var report = RecoveryReport()
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &report)
    var isBegun = false
    defer { if !isBegun { folder.close() } }
    guard folder.root != nil, folder.identity != nil, folder.journal != nil,
      let checkpointLock = try Checkpoint.tryLock(in: folder)
    else { return nil }
    isBegun = true
    self.configuration = configuration
    self.repairs = repairs
    self.report = report
    self.checkpointLock = checkpointLock
    self.folder = folder
  }

  deinit {
    content?.follower.close()
    var folder = folder
    configuration.fileSystem.close(checkpointLock)
    folder.close()
  }

  /// Runs all steps; while others hold the store's lock it calls `rest`, which returns whether to keep waiting. On a
  /// full disk it uses the reserve.
  package mutating func run(rest: () -> Bool) throws(StoreError) {
    // Freed space is reserved again at once, before others take it.
    defer { if isDiskFull { folder.keepReserve(configuration.reserveSize) } }
    while true {
      do throws(StoreError) {
        switch try advance() {
        case .advanced: continue
        case .busy: if !rest() { return }
        case .done: return
        }
      } catch {
        // Segments written so far would only take up space needed for the retry.
        if stage == .write { try? sweepOrphans() }
        guard error.code == .diskFull, !isDiskFull, folder.releaseReserve(for: .checkpoints) else {
          throw error
        }
        isDiskFull = true
      }
    }
  }

  package mutating func advance() throws(StoreError) -> Progress {
    switch stage {
    case .read:
      // Most is read before the lock is taken, which is then needed only to read what came meanwhile.
      content = try read()
      if let first = content, first.follower.lost != nil {
        guard try folder.acquireLock() else { return .busy }
        defer { folder.unlock() }
        try folder.restoreLostLines(now: configuration.now())
        first.follower.close()
        content = try read()
      }
      try checkPlaces()
      // Before the journal is sealed: an attempt that cannot get further must not add a journal each time.
      try sweepOrphans()
      stage = .seal
    case .seal:
      guard try folder.acquireLock() else { return .busy }
      defer { folder.unlock() }
      // Writes wait for the lock, so keep the CPU.
      guard try Threads.withoutYielding({ () throws(StoreError) in try seal() }) else {
        stage = .done
        return .done
      }
      stage = .write
    case .write:
      try write()
      stage = .publish
    case .publish:
      guard try folder.acquireLock() else { return .busy }
      defer { folder.unlock() }
      stage = try Threads.withoutYielding { () throws(StoreError) in try publish() } ? .clean : .done
    case .clean:
      try clean()
      stage = .done
    case .done: return .done
    }
    return stage == .done ? .done : .advanced
  }

  // MARK: the steps

  private mutating func read() throws(StoreError) -> LoadedStore {
    let loader = SegmentLoader(folder, cacheLimit: configuration.segmentCacheLimit)
    let content = try LoadedStore.read(folder, loader, &report, LoadedStore.Retention(recentTransactions: 1 << 20))
    guard content.isIncomplete else { return content }
    content.follower.close()
    throw Checkpoint.incomplete(folder)
  }

  /// Throws when something else has the name of a file or folder to write: each attempt would seal a journal for
  /// nothing.
  private func checkPlaces() throws(StoreError) {
    guard let content, let root = folder.root else { return }
    var tree = FolderTree(configuration.fileSystem, root)
    let segments = content.memory.snapshot.collections.map { StoreFolder.Name.segments + "/" + $0.rawValue }
    let folders = [StoreFolder.Name.segments, Quarantine.Name.folder] + segments.sorted()
    let manifests = ManifestFiles(folder: folder, root: root)
    let older = Set(try manifests.predecessors() + [content.memory.snapshot.base.generation])
    let files = older.sorted().map { ManifestFiles.Name.predecessor($0) }
    for (path, kind) in folders.map({ ($0, FileStatus.Kind.directory) }) + files.map({ ($0, .file) }) {
      let status = try StoreError.readingIfPresent { () throws(FileSystemError) in
        let place = try tree.place(of: path)
        return try configuration.fileSystem.status(of: place.name, in: place.folder)
      }
      if let status { try folder.trust(status, as: kind, folder.path + "/" + path) }
    }
  }

  /// Seals the journal and starts the next; false when there is nothing to fold.
  private mutating func seal() throws(StoreError) -> Bool {
    guard let content, let root = folder.root else { return false }
    let base = content.memory.snapshot.base
    guard try isCurrent(base, root) else { return false }
    try content.follower.catchUp(folder, from: base.journal, &content.memory)
    // The unreadable part may have been added since the first read.
    guard !content.follower.isIncomplete else { throw Checkpoint.incomplete(folder) }
    // Nil when the journals are missing; sealing then starts a new one.
    let position = content.follower.position
    guard repairs || content.memory.revision > base.revision || base.isRebuilt else { return false }
    var journalWriter = JournalWriter(configuration.fileSystem, sizeLimit: configuration.journalSizeLimit)
    defer { journalWriter.close() }
    journalWriter.resume(
      at: WindowStart(
        folder: folder, opening: 0, position: position, revision: content.memory.revision, firstJournal: base.journal))
    do throws(FileSystemError) { nextJournal = try journalWriter.seal() } catch { throw StoreError(writing: error) }
    // Otherwise another process may have written lines that were not read into the sealed journal.
    return !folder.hasLostLock
  }

  /// Removes leftovers of a killed checkpoint: segments of generations that no manifest has had.
  private func sweepOrphans() throws(StoreError) {
    guard let content else { return }
    let next = content.memory.snapshot.base.nextGeneration
    try SegmentFiles.remove(in: folder) { _, _, generation in generation >= next }
  }

  /// Writes a new generation of every changed month and reads it back.
  private mutating func write() throws(StoreError) {
    guard let content else { return }
    let snapshot = content.memory.snapshot
    var files = try SegmentFiles(folder, configuration.digests())
    let history = try keptHistory(content)
    self.history = history.kept
    for key in try snapshot.keys() {
      let entry = snapshot.base.entry(key.month, key.collection)
      let isChanged = snapshot.changes(of: key.month, in: key.collection) != nil
      if let entry, repairs || !isChanged && history.dropped.contains(where: { $0.overlaps(entry) }) {
        verify(entry, snapshot.base)
      }
      guard isChanged || snapshot.base.loader.isDamaged(entry) else { continue }
      let merged = try snapshot.merged(key)
      guard !snapshot.base.loader.isUnreadable(entry) else { throw Checkpoint.incomplete(folder) }
      try files.write(merged, key) { body in
        snapshot.visit(key.month, of: key.collection) { $0.lend(to: body) }
      }
    }
    try files.synchronize()
    written = files.written
    // Damaged data is quarantined before anything replaces it.
    var found = report
    for finding in snapshot.base.loader.findings + content.follower.report.findings { found.noteOnce(finding) }
    try Quarantine(folder: folder, now: configuration.now()).keep(
      found.findings.filter { !$0.kind.isEveryday }, revision: content.memory.revision)
    files.digests.write(
      for: SegmentFiles.entries(written, replacing: snapshot.base.allEntries), over: snapshot.base,
      generation: snapshot.base.nextGeneration, in: folder, reading: NewDigests.maximumRead)
  }

  /// Reads a segment to find damage, including a wrong hash.
  private func verify(_ entry: SegmentEntry, _ base: StoreBase) {
    _ = base.loader.segment(entry, of: base)
    base.loader.verifyHash(entry)
  }

  /// Publishes the new segments; false when another process has replaced the manifest meanwhile.
  private mutating func publish() throws(StoreError) -> Bool {
    guard let content, let root = folder.root else { return false }
    let base = content.memory.snapshot.base
    guard try isCurrent(base, root) else { return false }
    let manifest = Manifest(
      generation: base.nextGeneration, store: folder.identity?.store ?? .zero, revision: content.memory.revision,
      features: configuration.participants.features(of: content.memory.snapshot), journal: nextJournal,
      history: history, segments: SegmentFiles.entries(written, replacing: base.allEntries))
    try ManifestFiles(folder: folder, root: root).publish(manifest, replacing: base, configuration)
    return true
  }

  // MARK: checks and locks

  /// The error for an unreadable part: it may be readable later, so nothing is written in its place.
  static func incomplete(_ folder: StoreFolder) -> StoreError {
    StoreError(.storeUnavailable, "A part of the store cannot be read.", path: folder.path)
  }

  /// Whether the current manifest is still the one this checkpoint started from.
  func isCurrent(_ base: StoreBase, _ root: Descriptor) throws(StoreError) -> Bool {
    if base.isOlder { return try !hasReadableManifest() }
    let named = try StoreError.readingIfPresent(
      configuration.fileSystem.status(of: ManifestFiles.Name.current, in: root))
    return named.map { $0.inode == base.inode } ?? (base.inode == 0) || base.isRebuilt
  }

  /// Whether another process has written a readable manifest meanwhile.
  private func hasReadableManifest() throws(StoreError) -> Bool {
    var ignored = RecoveryReport()
    switch try folder.manifests?.read(ManifestFiles.Name.current, &ignored) {
    case .absent, .unusable, nil: return false
    case .newer: return true
    case .readable(_, let file):
      configuration.fileSystem.close(file)
      return true
    }
  }

  /// Takes the lock that only one checkpoint at a time holds; nil when another one holds it.
  static func tryLock(in folder: StoreFolder) throws(StoreError) -> Descriptor? {
    try folder.checkWritable()
    guard let root = folder.root else { return nil }
    return try StoreError.writing(folder.fileSystem.tryLock(StoreFolder.Name.checkpointLock, in: root))
  }
}
