import CivilTime
import Platform
import Values

/// A store of records on a folder that any number of processes share: transactions go into a journal, which checkpoints
/// fold into segments.
///
/// It belongs to one owner (an actor); all its methods are synchronous, and none but `waitUntilDurable` and `close`
/// waits for the disk. Opening never writes: the folder and everything in it are made by the first commit.
package final class FileStore {
  let configuration: Configuration
  var folder: StoreFolder
  var loader: SegmentLoader
  /// What the store knows; nil until somebody asks, since a start need not wait for it.
  var loaded: LoadedStore?
  /// What was read of it so far, when only single records were asked for.
  var storePreview: StorePreview?
  /// What tells without a system call that others wrote; nil where that cannot be had, or was not looked for yet.
  var mark: MappedMark?
  var hasLookedForMark = false
  /// Whether the next look is at everything: there may be something that nothing tells of.
  var mustLookAround = false
  let queue: CommitQueue
  /// Writes on this thread when there is no other.
  private var writer: JournalWriter
  private var thread: CommitThread?
  private var isClosed = false
  /// Findings made before the journal was read.
  var openingReport: RecoveryReport
  /// The revision up to which everything is this process's own since it last signed the lock; nil before it did.
  var signedRevision: Int?
  /// The transaction that is written when its result is known.
  var unfinished: JournalEntry?
  /// Times that the folder turned out not to be the one that was read.
  package internal(set) var exchanges = 0

  /// Opens the store of a folder, which need not exist. Never writes, and reads next to nothing: what is stored is read when
  /// it is asked for.
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

  /// The revision of the last transaction known.
  ///
  /// - Throws: What reading throws when it is the first thing asked.
  package var revision: Int { get throws(StoreError) { try load().memory.revision } }

  /// The revision up to which everything is safe on disk, as far as is known: what others wrote may have been read before they
  /// synchronized it.
  package var durableRevision: Int { queue.durableRevision }

  /// The revision up to which this process has made everything durable itself, including what other processes wrote.
  package var provenRevision: Int { queue.provenRevision }

  /// Everything, as it is known now.
  package var snapshot: Snapshot { get throws(StoreError) { try load().memory.snapshot } }

  /// Which store this is; nil while nothing was ever stored in the folder.
  package var identity: StoreIdentity? { folder.identity }

  /// Why nothing can be written, if that is known; a write may still fail for reasons that only show then.
  package var refusal: StoreError? {
    if configuration.isReader {
      return StoreError(.storeReadOnly, "The store was opened to be read.", path: folder.path)
    }
    if let obstacle = folder.obstacle { return StoreError.newerVersion(folder.path, obstacle) }
    if let refusal = loaded?.memory.snapshot.base.refusal(folder.path) { return refusal }
    if case .final(let error)? = queue.obstacle { return error }
    return nil
  }

  /// Whether a commit failed and was not rolled back yet, so that memory has what is not stored.
  package var hasFailed: Bool { queue.hasFailed }

  /// Whether something is still to become of a commit or a proof: it is being written, or failed and was not rolled back yet.
  package var isSettling: Bool { unfinished != nil || queue.isSettling }

  /// Takes back in memory everything that a failed commit kept from becoming durable; its revisions are used again.
  /// Does nothing unless a commit failed.
  package func rollBack() {
    guard queue.hasFailed else { return }
    if unfinished != nil { queue.leave() }
    unfinished = nil
    loaded?.memory.rollBack(to: durableRevision)
    loaded?.follower.recent.rollBack(to: durableRevision)
    queue.clearFailure()
    // What failed may be in a journal all the same, in this one or the next, and no mark tells of it.
    mustLookAround = true
  }

  /// Sleeps until everything committed is durable or has failed. For shutting down.
  package func waitUntilDurable() { if configuration.isInline { drain() } else { queue.waitUntilIdle() } }

  /// Writes what is queued, then closes all files and gives the locks back.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    try? finish(result: nil)
    if configuration.isInline { drain() }
    queue.finish()
    thread?.join()
    thread = nil
    letGo()
    // Snapshots that are still held keep theirs.
    loader = SegmentLoader(folder, cacheLimit: 0)
  }

  func checkOpen() throws(StoreError) {
    if isClosed { throw StoreError(.storeClosed, "The store was closed.", path: configuration.folder) }
  }

  /// Closes all files, for good or to open them again.
  func letGo() {
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
      throw StoreError(.storeUnavailable, "The system gives no thread to write with.", path: configuration.folder)
    }
    thread = started
  }

  /// Does on this thread what else the commit thread does.
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
    if let start = queue.takeStart() { writer.continues(at: start) }
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
