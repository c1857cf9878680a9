import Values

extension StoreBase {
  /// Opens what the folder's manifest names; an empty base when there is none.
  ///
  /// - Throws: `storeUnavailable` when a newer version wrote the folder in a way that must not be read here.
  static func open(_ folder: StoreFolder, _ loader: SegmentLoader, _ report: inout RecoveryReport) throws(StoreError)
    -> StoreBase
  {
    guard let files = folder.manifests else { return StoreBase(loader: loader) }
    var found = RecoveryReport()
    guard let loaded = try files.load(store: folder.identity?.store ?? .zero, &found) else {
      return StoreBase(loader: loader)
    }
    // A checkpoint killed before it wrote the first manifest leaves segments that are not needed.
    if loaded.source == .rebuilt,
      !found.findings.contains(where: { $0.kind == .damagedManifest || $0.kind == .unreadableRange }),
      try files.predecessors().isEmpty, try StoreBase.isToldByJournals(loaded.manifest.revision, folder, loader)
    {
      return StoreBase(loader: loader)
    }
    let isIncomplete = found.findings.contains { $0.kind == .unreadableRange }
    // Repeated reads find the same again.
    for finding in found.findings { report.noteOnce(finding) }
    return StoreBase(loaded, isIncomplete: isIncomplete, loader: loader)
  }

  /// Whether the journals contain everything up to a revision.
  private static func isToldByJournals(_ revision: Int, _ folder: StoreFolder, _ loader: SegmentLoader)
    throws(StoreError) -> Bool
  {
    guard try folder.journalNumbers().first == 1 else { return false }
    var memory = StoreMemory(base: StoreBase(loader: loader), retainedChanges: 1, undoDepth: 1)
    var reader = JournalFollower(folder.fileSystem, after: 0, recent: 1 << 16)
    defer { reader.close() }
    try reader.catchUp(folder, from: 1, &memory)
    // Segments of a later revision that no seal mentions come from an import that was killed before it took effect.
    return !reader.report.isLossPossible && (memory.revision >= revision || !reader.hasMetReplacement)
  }

  /// Opens a newer manifest; nil when there is none.
  ///
  /// - Throws: `storeChanged` when it contains changes that no journal has, so that everything must be read again.
  func successor(_ folder: StoreFolder, _ loader: SegmentLoader, _ report: inout RecoveryReport) throws(StoreError)
    -> StoreBase?
  {
    guard let root = folder.root else { return nil }
    let named = try StoreError.readingIfPresent(folder.fileSystem.status(of: ManifestFiles.Name.current, in: root))
    guard let named, named.inode != inode else { return nil }
    // The first checkpoint creates the segments folder.
    let loader =
      loader.hasFolder ? loader : SegmentLoader(folder, cacheLimit: loader.cacheLimit, readsAhead: loader.readsAhead)
    let new = try StoreBase.open(folder, loader, &report)
    guard new.generation > generation else { return nil }
    guard new.history.last?.lastRevision == new.revision else {
      throw StoreError(.storeChanged, "The store was replaced by an import or a restore.", path: folder.path)
    }
    loader.forgetAll(but: new.allEntries)
    return new
  }

  /// Why nothing may be written on top of it; nil when writing is allowed.
  func refusal(_ path: String) -> StoreError? { isWritable ? nil : StoreError.newerVersion(path) }
}
