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
  /// - Parameters:
  ///   - awaitsResult: Whether it goes to the disk only when `finish` has said what its caller is told.
  ///   - isLast: Whether the store is closed after it, so that nobody asks what is in memory then.
  package func commit(
    _ transaction: Transaction, awaitsResult: Bool = false, isLast: Bool = false
  ) throws(StoreError) -> Int {
    try inWindow { loaded throws(StoreError) in
      if let revision = try earlierRevision(of: transaction, loaded) { return (revision, true) }
      let entry = try loaded.memory.entry(of: transaction, replica)
      let line = try entry.line(limit: configuration.lineSizeLimit)
      try startThread()
      if isLast {
        configuration.followed.work(out: entry, line, behind: loaded.follower.position, in: folder)
      } else {
        loaded.memory.apply(entry, revision: entry.revision, isDurable: false)
      }
      return (entry.revision, try send(line, of: entry, awaitsResult: awaitsResult))
    }
  }

  /// The same for a transaction that was worked out before, in a time that does not depend on its size; nil when the store has
  /// changed since.
  package func commit(_ prepared: PreparedTransaction, awaitsResult: Bool = false) throws(StoreError) -> Int? {
    try inWindow { loaded throws(StoreError) in
      if let revision = try earlierRevision(of: prepared.entry.transaction, loaded) { return (revision, true) }
      guard loaded.memory.edits == prepared.draft.memory.edits, exchanges == prepared.draft.exchanges else {
        return (nil, true)
      }
      try startThread()
      loaded.exchange(for: prepared.memory)
      return (prepared.entry.revision, try send(prepared.line, of: prepared.entry, awaitsResult: awaitsResult))
    }
  }

  /// The revision that a transaction made when it was committed before; nil when it was not.
  private func earlierRevision(of transaction: Transaction, _ loaded: LoadedStore) throws(StoreError) -> Int? {
    if let revision = loaded.follower.recent[transaction.id] { return revision }
    return transaction.mayRepeat ? try revision(ofTransaction: transaction.id) : nil
  }

  /// What a transaction is worked out on that is to be committed with `commit(_: PreparedTransaction)`.
  package func draft() throws(StoreError) -> Draft {
    Draft(memory: try load().memory, exchanges: exchanges, replica: replica, lineSizeLimit: configuration.lineSizeLimit)
  }

  private var replica: EntityID { folder.identity?.replica ?? .zero }

  /// Commits something inside the write window, which is left then unless `body` says that it is not finished.
  private func inWindow<Value>(
    _ body: (LoadedStore) throws(StoreError) -> (value: Value, isFinished: Bool)
  ) throws(StoreError) -> Value {
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
    let outcome = try body(loaded)
    isFinished = outcome.isFinished
    return outcome.value
  }

  /// Queues the line of what was just made in memory, or keeps it for its result; whether it is on its way.
  private func send(_ line: [UInt8], of entry: JournalEntry, awaitsResult: Bool) throws(StoreError) -> Bool {
    signedRevision = entry.revision
    loaded?.follower.recent.append(entry.transaction, revision: entry.revision)
    loaded?.tailBytes += line.count
    if awaitsResult {
      unfinished = entry
      return false
    }
    try enqueue(line, of: entry)
    return true
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
      if let line = try? longer.line(limit: configuration.lineSizeLimit) {
        loaded?.follower.recent.note(longer.transaction, revision: longer.revision)
        return try enqueue(line, of: longer)
      }
    }
    try enqueue(try entry.line(limit: configuration.lineSizeLimit), of: entry)
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

  private static func rollBackPending(_ cause: StoreError) -> StoreError {
    StoreError(
      .rollBackPending, "An earlier change could not be stored: \(cause.message)", path: cause.path,
      systemText: cause.systemText, details: cause.details.merging(["cause": cause.code.rawValue]) { old, _ in old })
  }
}
