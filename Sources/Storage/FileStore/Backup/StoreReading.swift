/// A store's state at one moment, read from its files without taking a lock that others wait for. The files remain
/// while this exists.
struct StoreReading: ~Copyable {
  let configuration: FileStore.Configuration
  var folder: StoreFolder
  let content: LoadedStore
  private(set) var report: RecoveryReport

  /// - Parameter isEmptyAllowed: Whether a folder in which nothing was ever stored counts as an empty store; otherwise
  ///   it throws `nothingStored`.
  init(_ configuration: FileStore.Configuration, isEmptyAllowed: Bool = false) throws(StoreError) {
    var report = RecoveryReport()
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &report)
    do throws(StoreError) {
      let loader = SegmentLoader(folder, cacheLimit: configuration.segmentCacheLimit)
      let content = try LoadedStore.read(folder, loader, &report)
      let isEmpty = content.memory.revision == 0 && folder.identity == nil
      if isEmpty, !isEmptyAllowed {
        throw StoreError(.nothingStored, "Nothing has been stored in the folder yet.", path: folder.path)
      }
      self.configuration = configuration
      self.folder = folder
      self.content = content
      self.report = report
    } catch {
      folder.close()
      throw error
    }
  }

  deinit {
    content.follower.close()
    var folder = folder
    folder.close()
  }

  var snapshot: Snapshot { content.memory.snapshot }

  /// Whether the system could not read something.
  var hasReadError: Bool {
    folder.identity == nil
      || [report, content.follower.report].contains { $0.findings.contains { $0.kind == .unreadableRange } }
  }

  /// Whether stored data may be missing or wrong, as far as was read.
  var isDamaged: Bool {
    folder.identity == nil || report.isLossPossible || content.follower.report.isLossPossible
      || content.memory.snapshot.base.isDamaged
  }
}

extension Snapshot {
  /// The number of records in all but some collections.
  func count(leavingOut hidden: Set<CollectionName>) -> Int {
    collections.reduce(0) { hidden.contains($1) ? $0 : $0 + count(in: $1) }
  }
}
