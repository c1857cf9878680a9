import CivilTime
import Values

/// A store of records on a folder: transactions go into a journal, and everything it says is held in memory.
///
/// It belongs to one owner (an actor); all its methods are synchronous, and none but `waitUntilDurable` and `close`
/// waits for the disk. Opening never writes: the folder and everything in it are made by the first commit.
package final class FileStore {
  private let configuration: Configuration
  private var memory: StoreMemory
  /// What opening found.
  package let recoveryReport: RecoveryReport
  /// Which store this is; until the first commit of a new one, what it will be.
  package let identity: StoreIdentity
  private let queue: CommitQueue
  /// What the commit thread gets when it starts; nil from then on.
  private var writer: JournalWriter?
  private var thread: CommitThread?
  private var isClosed = false
  /// Set when a newer version of the program wrote the folder.
  private let refusal: StoreError?
  /// Ids of transactions, with their revisions; those given again are not stored again.
  private var recent: RecentTransactions

  /// Opens the store of a folder, which need not exist. Never writes.
  package static func open(_ configuration: Configuration) throws(StoreError) -> FileStore {
    var report = RecoveryReport()
    var folder = try StoreFolder(
      opening: configuration.folder, configuration.fileSystem, &report, locks: !configuration.isReader)
    let memory = StoreMemory(
      retainedChanges: configuration.retainedChanges, undoDepth: configuration.undoDepth)
    var recovery = Recovery(memory: memory, report: report)
    do throws(StoreError) { try recovery.run(folder) } catch {
      folder.close()
      throw error
    }
    return FileStore(configuration, folder, recovery)
  }

  /// How many bytes the journals of a folder have, for one who wants to know whether anything was written; nil when the
  /// folder cannot be looked at. Takes no lock.
  package static func journalSize(of folder: String, fileSystem: any FileSystem = PosixFileSystem()) -> Int? {
    var report = RecoveryReport()
    guard var folder = try? StoreFolder(opening: folder, fileSystem, &report, locks: false) else { return nil }
    defer { folder.close() }
    return folder.files.reduce(0) { $0 + $1.size }
  }

  private init(_ configuration: Configuration, _ folder: StoreFolder, _ recovery: Recovery) {
    self.configuration = configuration
    memory = recovery.memory
    var report = recovery.report
    if folder.identity == nil, !folder.files.isEmpty, !report.findings.contains(where: { $0.kind == .identityLost }) {
      report.note(
        RecoveryFinding(
          kind: .identityLost, file: StoreFolder.Name.identity, offset: 0, length: 0, previousSequence: 0,
          reason: "the file is missing"))
    }
    recoveryReport = report
    identity =
      folder.identity
      ?? StoreIdentity(
        format: StoreIdentity.currentFormat, store: configuration.newID(), replica: configuration.newID(),
        createdAt: configuration.now())
    if configuration.isReader {
      refusal = StoreError(.storeReadOnly, "The store was opened to be read.", path: folder.path)
    } else if identity.format > StoreIdentity.currentFormat {
      refusal = StoreError(
        .storeReadOnly, "A newer version of this program wrote the store; this one can only read it.",
        path: folder.path, details: ["format": String(identity.format)])
    } else {
      refusal = nil
    }
    queue = CommitQueue(durable: memory.revision)
    recent = RecentTransactions(recovery.transactions, capacity: configuration.recentTransactions)
    writer = JournalWriter(configuration, folder: folder, identity: identity, tail: recovery.tail)
  }

  deinit { close() }

  /// The revision of the last transaction in memory.
  package var revision: Int { memory.revision }

  /// The revision up to which everything is safe on disk.
  package var durableRevision: Int { queue.durableRevision }

  /// Whether it is known that nothing can be written: a newer version made the folder, or a write failed for good.
  package var isReadOnly: Bool { refusal != nil || queue.obstacle?.code == .storeReadOnly }

  /// Everything, as it is in memory now.
  package var snapshot: Snapshot { memory.snapshot }

  /// The revision that a recent transaction made, if it is known.
  package func revision(ofTransaction id: EntityID) -> Int? { recent[id] }

  /// Makes the transaction's changes in memory and queues them for the disk. They are durable when `onDurable` was
  /// called with the revision returned, or a higher one. A transaction that was committed before is not stored again.
  package func commit(_ transaction: Transaction) throws(StoreError) -> Int {
    if isClosed { throw StoreError(.storeClosed, "The store was closed.", path: configuration.folder) }
    if let refusal { throw refusal }
    if let obstacle = queue.obstacle { throw queue.hasFailed ? FileStore.rollBackPending(obstacle) : obstacle }
    memory.settle(durable: durableRevision)
    if let revision = recent[transaction.id] { return revision }
    let (next, overflow) = memory.revision.addingReportingOverflow(1)
    guard !overflow else { throw StoreError(.storeUnavailable, "The revisions are used up.") }
    let line = try encode(JournalEntry(revision: next, replica: identity.replica, transaction: transaction))
    try startThread()
    memory.apply(transaction, revision: next, isDurable: false)
    recent.append(transaction.id, revision: next)
    guard queue.enqueue(PendingLine(revision: next, bytes: line)) else {
      throw FileStore.rollBackPending(
        queue.obstacle ?? StoreError(.storeUnavailable, "An earlier commit failed.", path: configuration.folder))
    }
    return next
  }

  /// Takes back in memory everything that a failed commit kept from becoming durable; its revisions are used again.
  /// Does nothing unless a commit failed.
  package func rollBack() {
    guard queue.hasFailed else { return }
    memory.rollBack(to: durableRevision)
    recent.rollBack(to: durableRevision)
    queue.clearFailure()
  }

  /// The records that changed after `revision`, about `limit` at most.
  package func changes(since revision: Int, limit: Int = .max) throws(StoreError) -> ChangePage {
    guard let page = memory.changes.page(since: revision, limit: limit, in: memory.snapshot) else {
      throw StoreError(
        .revisionTooOld, "The changes since revision \(revision) are not known; read everything anew.",
        details: ["oldest": String(memory.changes.floor), "latest": String(memory.revision)])
    }
    return page
  }

  /// How to take back the author's latest transaction that has a label that fits, is no undo, and was not undone.
  package func undoPlan(author: String, matching: (String) -> Bool = { _ in true }) -> UndoPlan {
    memory.undo.latest(author: author, matching: matching)?.plan(in: memory.snapshot) ?? .nothing
  }

  /// How to take back a particular transaction, which may itself be an undo; with an author, only if it is theirs.
  package func undoPlan(revision: Int, author: String? = nil) -> UndoPlan {
    guard let entry = memory.undo[revision], author == nil || entry.author == author else { return .nothing }
    return entry.plan(in: memory.snapshot)
  }

  /// Sleeps until everything committed is durable or has failed. For shutting down.
  package func waitUntilDurable() { queue.waitUntilIdle() }

  /// Writes what is queued, then closes all files and gives the lock back.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    queue.finish()
    thread?.join()
    thread = nil
    writer?.close()
    writer = nil
  }

  /// The line of a transaction, which is sure to be read as what was written.
  private func encode(_ entry: JournalEntry) throws(StoreError) -> [UInt8] {
    let bytes = JournalLine.transaction(entry).bytes
    guard bytes.count <= configuration.lineSizeLimit else {
      throw StoreError(
        .recordTooLarge, "The change is too large to be stored.",
        details: ["bytes": String(bytes.count), "limit": String(configuration.lineSizeLimit)])
    }
    guard JournalLine.isFaithful(bytes, to: entry) else {
      throw StoreError(
        .invalidTransaction,
        "The change cannot be stored: a body is no JSON object on one line, or a day, an instant or a number has no text."
      )
    }
    return bytes
  }

  private static func rollBackPending(_ cause: StoreError) -> StoreError {
    StoreError(
      .rollBackPending, "An earlier change could not be stored: \(cause.message)", path: cause.path,
      systemText: cause.systemText, details: cause.details.merging(["cause": cause.code.rawValue]) { old, _ in old })
  }

  private func startThread() throws(StoreError) {
    guard thread == nil, let writer else { return }
    let started = CommitThread { [queue, configuration] in
      FileStore.runWriter(writer, queue, configuration)
    }
    guard let started else {
      throw StoreError(.storeUnavailable, "The system gives no thread to write with.", path: configuration.folder)
    }
    thread = started
    self.writer = nil
  }

  /// What the commit thread does.
  private static func runWriter(_ writer: JournalWriter, _ queue: CommitQueue, _ configuration: Configuration) {
    var writer = writer
    while let batch = queue.next() {
      let outcome = writer.write(batch)
      if let revision = outcome.durable {
        queue.advance(to: revision)
        configuration.onDurable(revision)
      }
      if let failure = outcome.failure {
        queue.fail(failure, isFinal: outcome.isFinal)
        configuration.onCommitFailure(failure)
      }
      queue.endBatch()
    }
    writer.close()
  }
}
