/// A store of records in a folder shared by any number of processes: transactions go into a journal, which checkpoints
/// fold into segments.
///
/// It belongs to one owner (an actor). All its methods are synchronous, and only `waitUntilDurable`, `settle` and
/// `close` wait for the disk. Opening never writes: the first commit creates the folder and everything in it.
package final class FileStore {
  let configuration: Configuration
  var folder: StoreFolder
  var loader: SegmentLoader
  /// The in-memory state; nil before first use, since a start need not wait for it.
  var loaded: LoadedStore?
  /// What was read for single-record lookups before the full load.
  var storePreview: StorePreview?
  /// Shows without a system call that others wrote; nil where it cannot be mapped, or was not looked for yet.
  var mark: MappedMark?
  var hasTriedMark = false
  /// Whether the next follow must check everything, because a change may have left no trace in the mark.
  var mustRefresh = false
  let queue: CommitQueue
  /// The writer for inline mode, which has no commit thread.
  private var writer: JournalWriter
  private var thread: CommitThread?
  private var isClosed = false
  /// Findings made before the journal was read.
  var openingReport: RecoveryReport
  /// The revision at which this process last signed the lock, while all later changes are its own; nil before.
  var signedRevision: Int?
  /// The transaction that is written once its result is known.
  var awaitingResult: JournalEntry?
  /// The collections that only participants write; asked with every change.
  private(set) lazy var ownCollections = configuration.participants.ownCollections
  /// How often the folder turned out not to be the one that was read.
  package internal(set) var replacements = 0

  /// Opens the store of a folder, which need not exist. Never writes and reads next to nothing: the rest is read on
  /// first use.
  package static func open(_ configuration: Configuration) throws(StoreError) -> FileStore {
    var report = RecoveryReport()
    let folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &report)
    return FileStore(configuration, folder, report)
  }

  private init(_ configuration: Configuration, _ folder: StoreFolder, _ report: RecoveryReport) {
    self.configuration = configuration
    self.folder = folder
    openingReport = report
    loader = SegmentLoader(folder, configuration)
    queue = CommitQueue(configuration.fileSystem)
    writer = configuration.journalWriter
  }

  deinit { close() }

  /// The revision of the last known transaction.
  ///
  /// - Throws: Read errors, when this is the first use.
  package var revision: Int { get throws(StoreError) { try load().memory.revision } }

  /// The revision up to which everything is durable as far as is known: others' writes may have been read before they
  /// were synced.
  package var durableRevision: Int { queue.durableRevision }

  /// The revision up to which this process itself has synced everything, including others' writes.
  package var provenRevision: Int { queue.provenRevision }

  package var snapshot: Snapshot { get throws(StoreError) { try load().memory.snapshot } }

  package var identity: StoreIdentity? { folder.identity }

  /// Why nothing can be written, if that is known; a write may still fail for other reasons.
  package var refusal: StoreError? {
    if configuration.isReader {
      return StoreError(.storeReadOnly, "The store was opened read-only.", path: folder.path)
    }
    if let obstacle = folder.obstacle { return StoreError.newerVersion(folder.path, obstacle) }
    if let refusal = loaded?.memory.snapshot.base.refusal(folder.path) { return refusal }
    if case .final(let error)? = queue.obstacle { return error }
    return nil
  }

  /// Whether a commit failed and was not rolled back yet, so that memory holds changes that are not stored.
  package var hasFailed: Bool { queue.hasFailed }

  /// Whether a commit or a proof is pending: it is being written, or failed and was not rolled back yet.
  package var isSettling: Bool { awaitingResult != nil || queue.isSettling }

  /// Reverts in memory everything that a failed commit kept from becoming durable; its revisions are used again. Does
  /// nothing unless a commit failed.
  package func rollBack() {
    guard queue.hasFailed else { return }
    if awaitingResult != nil { queue.leave() }
    awaitingResult = nil
    loaded?.memory.rollBack(to: durableRevision)
    loaded?.follower.recent.rollBack(to: durableRevision)
    queue.clearFailure()
    // The failed lines may be in a journal all the same, and no mark shows it.
    mustRefresh = true
  }

  /// Waits until everything committed is durable or has failed.
  package func waitUntilDurable() { if configuration.isInline { drain() } else { queue.waitUntilIdle() } }

  /// Writes what is queued, then closes all files and releases the locks.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    try? finish(result: nil)
    if configuration.isInline { drain() }
    queue.finish()
    thread?.join()
    thread = nil
    releaseFiles()
    // Snapshots that are still held keep their own loader.
    loader = SegmentLoader(folder, cacheLimit: 0)
  }

  func checkOpen() throws(StoreError) {
    if isClosed { throw StoreError(.storeClosed, "The store was closed.", path: configuration.folder) }
  }

  /// Closes all files, for good or before opening them again.
  func releaseFiles() {
    queue.leave()
    writer.close()
    loaded?.follower.close()
    loaded = nil
    storePreview = nil
    mark = nil
    folder.close()
  }

  // MARK: the commit thread

  func startThread() throws(StoreError) {
    guard !configuration.isInline, thread == nil else { return }
    let started = CommitThread { [queue, configuration] in
      var writer = configuration.journalWriter
      while let batch = queue.next() { FileStore.write(batch, &writer, queue, configuration) }
      writer.close()
    }
    guard let started else {
      throw StoreError(
        .storeUnavailable, "The system could not start a thread for writing.", path: configuration.folder)
    }
    thread = started
  }

  /// Does the commit thread's work on this thread.
  func drain() {
    while true {
      let batch = queue.takeLines().lines
      if batch.isEmpty { break }
      FileStore.write(batch, &writer, queue, configuration)
    }
  }

  private static func write(
    _ batch: [PendingLine], _ writer: inout JournalWriter, _ queue: CommitQueue, _ configuration: Configuration
  ) {
    if let start = queue.takeStart() { writer.resume(at: start) }
    let outcome = writer.write(batch)
    queue.note(writer.readPosition)
    if outcome.hasReleasedReserve { queue.note(hasReleasedReserve: true) }
    if let revision = outcome.durable {
      queue.advance(to: revision)
      queue.prove(revision)
    }
    if let failure = outcome.failure { queue.fail(failure, isFinal: outcome.isFinal) }
    queue.settleBatch()
    if let revision = outcome.durable { configuration.onDurable(revision) }
    if let failure = outcome.failure { configuration.onCommitFailure(failure) }
    queue.endBatch()
  }
}
