import CivilTime
import Platform
import Values

extension FileStore {
  /// The revision that a transaction made, if a journal that is still there tells of it.
  package func revision(ofTransaction id: EntityID) throws(StoreError) -> Int? { try known(id)?.revision }

  /// What is known of a transaction, if a journal that is still there tells of it.
  package func known(_ id: EntityID) throws(StoreError) -> KnownTransaction? {
    let loaded = try load()
    if let known = loaded.follower.recent.known(id) { return known }
    try loadHistory()
    return loaded.olderTransactions?.known(id)
  }

  /// Makes the transaction's changes in memory and queues them for the disk; they are durable when `onDurable` was called with
  /// the revision returned, or a higher one. A transaction that was committed before is not stored again.
  ///
  /// Without a preceding `beginWriting` it takes the lock itself, waiting for it as long as the configuration says, and then throws
  /// `storeBusy`.
  ///
  /// - Parameter awaitsResult: Whether it goes to the disk only when `finish` has said what its caller is told.
  package func commit(_ transaction: Transaction, awaitsResult: Bool = false) throws(StoreError) -> Int {
    try enterWindow()
    // Until it is on its way, nobody else may write.
    var isFinished = true
    defer { if isFinished { endWriting() } }
    try finish(result: nil)
    // Before anything is changed in memory that nobody would take back.
    if let obstacle = queue.obstacle {
      throw obstacle.isFailure ? FileStore.rollBackPending(obstacle.error) : obstacle.error
    }
    let loaded = try load()
    loaded.memory.settle(durable: durableRevision)
    if let revision = loaded.follower.recent[transaction.id] { return revision }
    if transaction.mayRepeat, let revision = try revision(ofTransaction: transaction.id) { return revision }
    let next = try StoreError.revision(after: loaded.memory.revision)
    let entry = JournalEntry(
      revision: next, replica: folder.identity?.replica ?? .zero, transaction: transaction,
      before: loaded.memory.versions(before: transaction, revision: next))
    let line = try encode(entry)
    try startThread()
    loaded.memory.apply(entry, revision: next, isDurable: false)
    signedRevision = next
    loaded.follower.recent.append(transaction, revision: next)
    loaded.tailBytes += line.count
    if awaitsResult {
      unfinished = entry
      isFinished = false
    } else {
      try enqueue(line, of: entry)
    }
    return next
  }

  /// Sends the transaction that waits for its result to the disk, with that result, if there is such a transaction. A result that
  /// cannot be stored is left out: a caller that comes again is then told that it was done, but not what came of it.
  ///
  /// - Parameter result: The text of one JSON object in one line.
  package func finish(result: [UInt8]?) throws(StoreError) {
    guard let entry = unfinished else { return }
    unfinished = nil
    defer { endWriting() }
    if let result, Transaction.isStorable(result) {
      var longer = entry
      longer.transaction.result = result
      if let line = try? encode(longer) {
        loaded?.follower.recent.note(longer.transaction, revision: longer.revision)
        return try enqueue(line, of: longer)
      }
    }
    try enqueue(try encode(entry), of: entry)
  }

  private func enqueue(_ line: [UInt8], of entry: JournalEntry) throws(StoreError) {
    let isTaken = queue.enqueue(
      PendingLine(revision: entry.revision, bytes: line, isDeletion: entry.transaction.isDeletion))
    if isTaken { return }
    let obstacle = queue.obstacle
    let cause =
      obstacle?.error ?? StoreError(.storeUnavailable, "An earlier commit failed.", path: configuration.folder)
    // It is in memory already; a failure that is not final was reported by who met it.
    if obstacle?.isFailure != true { fail(cause, isFinal: true) }
    throw FileStore.rollBackPending(cause)
  }

  /// Reports that what is not durable yet never will be: the owner has to roll back.
  func fail(_ error: StoreError, isFinal: Bool) {
    queue.fail(error, isFinal: isFinal)
    configuration.onCommitFailure(error)
  }

  /// Enters the write window, waiting for the lock.
  private func enterWindow() throws(StoreError) {
    var milliseconds = 0
    while try !beginWriting() {
      // It may be this process's own lines that fill the window, or its own checkpoint that has the lock.
      waitUntilDurable()
      if try beginWriting() { return }
      guard milliseconds < configuration.lockTimeout, !configuration.isInline else { throw busy }
      Threads.rest(milliseconds: 1)
      milliseconds += 1
    }
  }

  /// The line of a transaction, which is sure to be read as what was written.
  private func encode(_ entry: JournalEntry) throws(StoreError) -> [UInt8] {
    guard entry.transaction.isStorable else {
      throw StoreError(
        .invalidTransaction,
        "The change cannot be stored: a body is no JSON object on one line, or a day, an instant or a name has no text."
      )
    }
    let bytes = JournalLine.transaction(entry).bytes
    guard bytes.count <= configuration.lineSizeLimit else {
      throw StoreError(
        .recordTooLarge, "The change is too large to be stored.",
        details: ["bytes": String(bytes.count), "limit": String(configuration.lineSizeLimit)])
    }
    return bytes
  }

  private static func rollBackPending(_ cause: StoreError) -> StoreError {
    StoreError(
      .rollBackPending, "An earlier change could not be stored: \(cause.message)", path: cause.path,
      systemText: cause.systemText, details: cause.details.merging(["cause": cause.code.rawValue]) { old, _ in old })
  }
}
