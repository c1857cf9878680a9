/// Several changes as one transaction: each takes effect in memory, so that the next one sees it, and nothing is written.
/// Then memory goes back to where it was, and the owner commits all operations together. A crash before that loses all
/// of them, one after it none.
extension FileStore {
  /// Begins to gather, once all earlier changes are durable: only those stay when memory goes back.
  ///
  /// - Throws: Why one of them is not.
  /// - Returns: The present revision.
  package func beginGathering() throws(StoreError) -> Int {
    try finish(result: nil)
    try settle()
    return try load().memory.revision
  }

  /// Takes a transaction into memory and returns the revision that shows it; it means nothing once gathering has ended.
  ///
  /// - Throws: `invalidTransaction`, `recordTooLarge`.
  package func gather(_ transaction: Transaction) throws(StoreError) -> Int {
    let loaded = try load()
    let entry = try loaded.memory.entry(of: transaction, replica, configuration.participants)
    _ = try entry.line(limit: configuration.lineSizeLimit)
    loaded.memory.apply(entry, revision: entry.revision, isDurable: false)
    return entry.revision
  }

  /// Takes memory back to the revision at which gathering began.
  package func endGathering(at start: Int) { loaded?.memory.rollBack(to: start) }
}
