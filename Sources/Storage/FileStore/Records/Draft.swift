import Values

/// What the store knows at one moment: a large transaction is worked out on it away from the store's owner.
package struct Draft: Sendable {
  let memory: StoreMemory
  /// Of the store: how often it was exchanged.
  let exchanges: Int
  let replica: EntityID
  let lineSizeLimit: Int

  package var snapshot: Snapshot { memory.snapshot }

  /// Works out everything that takes longer the larger the transaction is.
  ///
  /// - Throws: `invalidTransaction`, or `recordTooLarge` when it does not fit into a line of the journal.
  package func prepare(_ transaction: Transaction) throws(StoreError) -> PreparedTransaction {
    let entry = try memory.entry(of: transaction, replica)
    let line = try entry.line(limit: lineSizeLimit)
    var memory = memory
    memory.apply(entry, revision: entry.revision, isDurable: false)
    return PreparedTransaction(draft: self, entry: entry, line: line, memory: memory)
  }
}

/// A transaction that is worked out, and waits to be committed to the store as the draft knew it.
package struct PreparedTransaction: Sendable {
  /// Also keeps alive what the store drops at the commit: the thread that drops this last spends the time that takes.
  let draft: Draft
  let entry: JournalEntry
  let line: [UInt8]
  /// The store's memory afterwards.
  let memory: StoreMemory

  /// Whether it changes a record of a collection.
  package func touches(_ collection: CollectionName) -> Bool {
    entry.transaction.operations.contains { $0.collection == collection }
  }

  /// What it changes, each record once, in the order of their last operations; nil when that is more than the store remembers.
  package var changes: ChangePage? {
    memory.changes.page(since: entry.revision - 1, limit: .max, in: memory.snapshot)
  }
}

extension StoreMemory {
  /// What a journal would hold of a transaction that comes next.
  func entry(of transaction: Transaction, _ replica: EntityID) throws(StoreError) -> JournalEntry {
    let next = try StoreError.revision(after: revision)
    return JournalEntry(
      revision: next, replica: replica, transaction: transaction,
      before: versions(before: transaction, revision: next))
  }
}

extension JournalEntry {
  /// Its line, which is sure to be read as what was written.
  ///
  /// - Parameter limit: The most bytes that a line may have.
  func line(limit: Int) throws(StoreError) -> [UInt8] {
    guard transaction.isStorable else {
      throw StoreError(
        .invalidTransaction,
        "The change cannot be stored: a body is no JSON object on one line, or a day, an instant or a name has no text."
      )
    }
    let bytes = JournalLine.transaction(self).bytes
    guard bytes.count <= limit else {
      throw StoreError(
        .recordTooLarge, "The change is too large to be stored.",
        details: ["bytes": String(bytes.count), "limit": String(limit)])
    }
    return bytes
  }
}
