import Values

/// What is in memory, and the reader that keeps it up to date.
final class LoadedStore {
  var memory: StoreMemory
  var follower: JournalFollower
  /// Whether the journals before the last checkpoint were read too.
  var hasHistory = false
  /// The transactions of those.
  var olderTransactions: RecentTransactions?
  /// About how many bytes the journals behind the segments have.
  var tailBytes = 0
  /// The revision at which a checkpoint was last begun.
  var attemptedCheckpoint = 0

  init(memory: StoreMemory, follower: JournalFollower) {
    self.memory = memory
    self.follower = follower
  }
}

extension LoadedStore {
  /// How much is remembered beyond the records.
  struct Extent {
    var retainedChanges = 1
    var undoDepth = 1
    var recentTransactions = 4096
  }

  /// How often it is begun anew when everything is replaced meanwhile.
  private static let mostAttempts = 4

  /// Reads what a folder has: the manifest, and the journals that come behind it.
  static func read(
    _ folder: StoreFolder, _ loader: SegmentLoader, _ report: inout RecoveryReport, _ extent: Extent = Extent()
  ) throws(StoreError) -> LoadedStore {
    var attempt = 1
    while true {
      var found = RecoveryReport()
      let base = try StoreBase.open(folder, loader, &found)
      let new = LoadedStore(
        memory: StoreMemory(base: base, retainedChanges: extent.retainedChanges, undoDepth: extent.undoDepth),
        follower: JournalFollower(
          folder.fileSystem, after: base.isRebuilt ? nil : base.revision, recent: extent.recentTransactions))
      do throws(StoreError) {
        try new.follower.catchUp(folder, from: base.journal, looksAround: true, &new.memory)
        // Between the two, an import may have put something there that no journal tells of.
        let manifest = new.follower.hasMetReplacement ? try folder.manifestInode() : base.inode
        if manifest == base.inode || attempt == mostAttempts {
          for finding in found.findings { report.noteOnce(finding) }
          return new
        }
        new.follower.close()
        attempt += 1
      } catch {
        new.follower.close()
        throw error
      }
    }
  }
}

extension StoreFolder {
  /// Which file the manifest is now; 0 when there is none.
  fileprivate func manifestInode() throws(StoreError) -> UInt64 {
    guard let root else { return 0 }
    return try StoreError.readingIfPresent { () throws(FileSystemError) in
      try fileSystem.status(of: ManifestFiles.Name.current, in: root)
    }?.inode ?? 0
  }
}
