import Values

/// The store's state at one moment, on which a large transaction is prepared away from the store's owner.
package struct Draft: Sendable {
  let memory: StoreMemory
  /// The store's count of folder replacements at that moment.
  let replacements: Int
  let replica: EntityID
  let lineSizeLimit: Int
  let participants: [any CommitParticipant]

  package var snapshot: Snapshot { memory.snapshot }

  /// Does all the work that grows with the transaction's size.
  ///
  /// - Throws: `invalidTransaction`, or `recordTooLarge` when it does not fit into a line of the journal.
  package func prepare(_ transaction: Transaction) throws(StoreError) -> PreparedTransaction {
    let entry = try memory.entry(of: transaction, replica, participants)
    let line = try entry.line(limit: lineSizeLimit)
    var memory = memory
    memory.apply(entry, revision: entry.revision, isDurable: false)
    return PreparedTransaction(draft: self, entry: entry, line: line, memory: memory)
  }
}

/// A prepared transaction, to be committed if the store has not changed since the draft.
package struct PreparedTransaction: Sendable {
  /// Also keeps alive what the store drops at the commit, so that the thread that releases this last pays for freeing
  /// it.
  let draft: Draft
  let entry: JournalEntry
  let line: [UInt8]
  /// The store's memory after the transaction.
  let memory: StoreMemory

  /// Whether it changes a record of a collection.
  package func touches(_ collection: CollectionName) -> Bool {
    entry.transaction.operations.contains { $0.collection == collection }
  }

  /// The changed records, each once, in the order of their last operations; nil when there are more changes than are
  /// retained.
  package var changes: ChangePage? {
    memory.changes.page(
      since: entry.revision - 1, limit: .max, leavingOut: draft.participants.ownCollections, in: memory.snapshot)
  }
}

extension StoreMemory {
  /// The entry of a new transaction, with what the participants add.
  func entry(of transaction: Transaction, _ replica: EntityID, _ participants: [any CommitParticipant])
    throws(StoreError) -> JournalEntry
  {
    let next = try StoreError.revision(after: revision)
    var entry = JournalEntry(
      revision: next, replica: replica, transaction: transaction,
      before: transaction.isOfNewRecords ? [] : versions(before: transaction.operations, revision: next))
    for participant in participants {
      var added = try participant.additions(to: PendingChange(entry.transaction, before: entry.before, in: snapshot))
      if added.contains(where: { !participant.ownCollections.contains($0.collection) }) {
        added = entry.transaction.replacingOperations(by: added)
      }
      guard !added.isEmpty else { continue }
      let count = entry.transaction.operations.count
      entry.transaction.operations += added
      let versions = versions(before: entry.transaction.operations, from: count, revision: next)
      guard !versions.isEmpty else { continue }
      entry.before += repeatElement(nil, count: count - entry.before.count) + versions
    }
    return entry
  }
}

extension JournalEntry {
  /// Its line, verified to read back as the same entry.
  ///
  /// - Parameter limit: The maximum length of a line, in bytes.
  func line(limit: Int) throws(StoreError) -> [UInt8] {
    guard transaction.isStorable else {
      throw StoreError(
        .invalidTransaction,
        "The change cannot be stored: a body is not one JSON object on one line, or a day, an instant or a name is invalid."
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
