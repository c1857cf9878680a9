import Platform
import Values

extension FileStore {
  /// What is known of a transaction; nil when no retained journal has it.
  package func known(_ id: EntityID) throws(StoreError) -> KnownTransaction? {
    let loaded = try load()
    if let known = loaded.follower.recent.known(id) { return known }
    try loadHistory()
    return loaded.olderTransactions?.known(id)
  }

  /// Applies the transaction in memory and queues it for the disk. It is durable once `onDurable` has reported the
  /// returned revision or a higher one. A transaction that was committed recently is not stored again.
  ///
  /// Without a preceding `beginWriting` it takes the lock itself, waits for it up to `lockTimeout`, and then throws
  /// `storeBusy`.
  ///
  /// - Parameters:
  ///   - awaitsResult: Whether the line is written only after `finish` has supplied its result.
  ///   - isLast: Whether the store is closed right after, so that the in-memory state need not be updated.
  package func commit(
    _ transaction: Transaction, awaitsResult: Bool = false, isLast: Bool = false
  ) throws(StoreError) -> Int {
    try inWindow { loaded throws(StoreError) in
      if let revision = loaded.follower.recent[transaction.id] { return (revision, true) }
      let entry = try loaded.memory.entry(of: transaction, replica, configuration.participants)
      let line = try entry.line(limit: configuration.lineSizeLimit)
      try startThread()
      if isLast {
        configuration.followed.prepare(entry, line, after: loaded.follower.position, in: folder)
      } else {
        loaded.memory.apply(entry, revision: entry.revision, isDurable: false)
      }
      return (entry.revision, try send(line, of: entry, awaitsResult: awaitsResult))
    }
  }

  /// Commits a prepared transaction in time independent of its size; nil when the store has changed since it was
  /// prepared.
  package func commit(_ prepared: PreparedTransaction, awaitsResult: Bool = false) throws(StoreError) -> Int? {
    try inWindow { loaded throws(StoreError) in
      if let revision = loaded.follower.recent[prepared.entry.transaction.id] { return (revision, true) }
      guard loaded.memory.edits == prepared.draft.memory.edits, replacements == prepared.draft.replacements else {
        return (nil, true)
      }
      try startThread()
      loaded.exchange(for: prepared.memory)
      return (prepared.entry.revision, try send(prepared.line, of: prepared.entry, awaitsResult: awaitsResult))
    }
  }

  /// The state on which to prepare a transaction for `commit(_: PreparedTransaction)`.
  package func draft() throws(StoreError) -> Draft {
    Draft(
      memory: try load().memory, replacements: replacements, replica: replica,
      lineSizeLimit: configuration.lineSizeLimit,
      participants: configuration.participants)
  }

  var replica: EntityID { folder.identity?.replica ?? .zero }

  /// Runs `body` in the write window, and leaves the window unless `body` reports that it is unfinished.
  private func inWindow<Value>(
    _ body: (LoadedStore) throws(StoreError) -> (value: Value, isFinished: Bool)
  ) throws(StoreError) -> Value {
    try waitToWrite()
    // No other process may write before the line is queued.
    var isFinished = true
    defer { if isFinished { endWriting() } }
    try finish(result: nil)
    // Checked before memory changes, because nothing would roll that change back.
    if let obstacle = queue.obstacle {
      throw obstacle.isFailure ? FileStore.rollBackPending(obstacle.error) : obstacle.error
    }
    let loaded = try load()
    loaded.memory.settle(durable: durableRevision)
    let outcome = try body(loaded)
    isFinished = outcome.isFinished
    return outcome.value
  }

  /// Queues the line of the entry just applied, or holds it for its result; returns whether it was queued.
  private func send(_ line: [UInt8], of entry: JournalEntry, awaitsResult: Bool) throws(StoreError) -> Bool {
    signedRevision = entry.revision
    loaded?.follower.recent.append(entry.transaction, revision: entry.revision)
    loaded?.tailBytes += line.count
    if awaitsResult {
      awaitingResult = entry
      return false
    }
    try enqueue(line, of: entry)
    return true
  }

  /// Queues the transaction that awaits its result, if any, with that result. A result that cannot be stored is left
  /// out: a retry then learns that the request was done, but not its answer.
  ///
  /// - Parameter result: The text of one JSON object on one line.
  package func finish(result: [UInt8]?) throws(StoreError) {
    guard let entry = awaitingResult else { return }
    awaitingResult = nil
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
    let isDeletion = entry.transaction.isDeletion(besides: ownCollections)
    let isTaken = queue.enqueue(PendingLine(revision: entry.revision, bytes: line, isDeletion: isDeletion))
    if isTaken { return }
    let obstacle = queue.obstacle
    let cause =
      obstacle?.error ?? StoreError(.storeUnavailable, "An earlier commit failed.", path: configuration.folder)
    // The entry is in memory already. A failure that is not final was reported where it occurred.
    if obstacle?.isFailure != true { fail(cause, isFinal: true) }
    throw FileStore.rollBackPending(cause)
  }

  /// Reports that pending changes will never become durable: the owner has to roll back.
  func fail(_ error: StoreError, isFinal: Bool) {
    queue.fail(error, isFinal: isFinal)
    configuration.onCommitFailure(error)
  }

  /// Enters the write window, waiting for the lock up to `lockTimeout`; `endWriting` leaves it.
  ///
  /// - Throws: `storeBusy` after that; what `beginWriting` throws.
  package func waitToWrite() throws(StoreError) {
    var milliseconds = 0
    while try !beginWriting() {
      // The window may be full of this process's own lines, or its own checkpoint may hold the lock.
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
