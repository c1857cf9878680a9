/// The in-memory state, and the journal reader that keeps it current.
final class LoadedStore {
  var memory: StoreMemory
  var follower: JournalFollower
  /// Whether the journals before the last checkpoint were read too.
  var hasHistory = false
  /// The transactions of those journals.
  var olderTransactions: RecentTransactions?
  /// The approximate size in bytes of the journals after the segments.
  var tailBytes = 0
  /// The revision at which the last checkpoint attempt began.
  var attemptedCheckpoint = 0
  /// When that was, by the clock of the checkpoints.
  var attemptedAt: UInt64 = 0

  /// The revision at the last call of `isQuiet`, and when it first was the latest, by the clock of the checkpoints.
  private var quiet = (revision: -1, since: UInt64(0))

  /// Whether nobody has written for the configured time, as far as repeated calls show.
  func isQuiet(_ configuration: FileStore.Configuration) -> Bool {
    let now = configuration.checkpoints.now
    if memory.revision != quiet.revision { quiet = (memory.revision, now) }
    return now &- quiet.since >= configuration.quietTime
  }

  /// Whether something could not be read, so that the state is incomplete.
  var isIncomplete: Bool { follower.isIncomplete || memory.snapshot.base.isIncomplete }

  init(memory: StoreMemory, follower: JournalFollower) {
    self.memory = memory
    self.follower = follower
  }

  /// Adopts `new`, which was derived from the current memory. A checkpoint may have finished meanwhile; the records
  /// stay the same.
  func exchange(for new: StoreMemory) {
    let base = memory.snapshot.base
    memory = new
    if memory.snapshot.base !== base { memory.rebase(on: base) }
  }
}

extension LoadedStore {
  /// The history to retain beyond the records; none by default.
  struct Retention {
    var retainedChanges = 0
    var undoDepth = 0
    var recentTransactions = 4096
  }

  /// How often reading restarts when everything is replaced meanwhile.
  private static let maximumAttempts = 4

  /// Reads the manifest of a folder and the journals after it.
  static func read(
    _ folder: StoreFolder, _ loader: SegmentLoader, _ report: inout RecoveryReport, _ retention: Retention = Retention()
  ) throws(StoreError) -> LoadedStore {
    var attempt = 1
    var folder = folder
    while true {
      var found = RecoveryReport()
      let noted = folder.latestNoted()
      let base = try StoreBase.open(folder, loader, &found)
      let new = LoadedStore(
        memory: StoreMemory(base: base, retainedChanges: retention.retainedChanges, undoDepth: retention.undoDepth),
        follower: JournalFollower(
          folder.fileSystem, after: base.isRebuilt ? nil : base.revision, recent: retention.recentTransactions))
      do throws(StoreError) {
        try new.follower.catchUp(folder, from: base.journal, &new.memory)
        if folder.lost == nil, new.follower.report.isLossPossible,
          let lost = folder.findLostLines(isInOrder: false)
        {
          // The copies have what is missing or damaged in the journals.
          folder.lost = lost
          new.follower.close()
          continue
        }
        // Meanwhile an import may have added data that no journal has.
        let manifest = new.follower.hasMetReplacement ? try folder.manifestInode() : base.inode
        if manifest == base.inode || attempt == maximumAttempts {
          for finding in found.findings { report.noteOnce(finding) }
          new.noteLoss(latest: noted, in: try folder.journalNumbers(), isStore: folder.identity != nil)
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

extension LoadedStore {
  /// The number for a new journal.
  func nextJournal(_ journal: Descriptor, _ fileSystem: any FileSystem) throws(FileSystemError) -> Int {
    try JournalFile.next(in: journal, after: follower.position, from: memory.snapshot.base.journal, fileSystem)
  }

  /// Compares what was read with what is known to have been answered, and skips the revisions of what is missing.
  ///
  /// - Parameters:
  ///   - latest: The last durable revision, noted before the journals were read; nil when unknown.
  ///   - numbers: The numbers of the existing journals.
  ///   - isStore: Whether the folder identifies itself as a store, which has a journal from its creation.
  fileprivate func noteLoss(latest: Int?, in numbers: [Int], isStore: Bool) {
    let base = memory.snapshot.base
    let isMissing = (isStore || base.generation > 0) && !base.isRebuilt && !numbers.contains(base.journal)
    guard latest.map({ $0 > memory.revision }) ?? isMissing else { return }
    let last = memory.revision
    if let latest {
      memory.skip(to: latest)
    } else if memory.revision == base.revision {
      memory.skip(to: base.revision.addingReportingOverflow(LoadedStore.maximumLines).partialValue)
    }
    let what = isMissing ? "it is missing" : "it ends too early"
    let known = latest.map { "changes up to number \($0) were answered" } ?? "its number of changes is unknown"
    follower.note(
      isMissing ? .missingJournal : .sequenceGap, after: last, before: latest.map { $0 + 1 },
      JournalFile.name(isMissing ? base.journal : numbers.last ?? base.journal), "\(what); \(known)")
  }

  /// The maximum number of lines in a journal of the greatest length.
  private static let maximumLines = 1 << 17
}

extension StoreFolder {
  /// The inode of the current manifest; 0 when there is none.
  fileprivate func manifestInode() throws(StoreError) -> UInt64 {
    guard let root else { return 0 }
    return try StoreError.readingIfPresent(fileSystem.status(of: ManifestFiles.Name.current, in: root))?.inode ?? 0
  }
}
