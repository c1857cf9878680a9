extension FileStore {
  /// Removes everything stored, for good, with a restore that waits, and what `parts` names; the next change founds another store.
  /// Other processes that have the folder open find it exchanged. Not to be called between `beginWriting` and `endWriting`.
  ///
  /// If it fails after it was begun, the next process that opens the folder finishes it before anything is read.
  ///
  /// - Throws: `storeBusy` or `backupBusy` when others are at work for too long; what keeps this store from being written; what
  ///   writing threw.
  package func erase(_ parts: Erasure.Parts = []) throws(StoreError) -> Erasure.Counts {
    if let refusal { throw refusal }
    guard try !isAbsent else { return Erasure.Counts() }
    try finish(result: nil)
    waitUntilDurable()
    // Nobody copies, restores or asks for a restore meanwhile.
    let place = try BackupPlace.open(forWriting: configuration)
    defer { _ = place.home }
    if queue.hasFailed { rollBack() }
    let counts: Erasure.Counts
    do throws(StoreError) { counts = try Erasure.run(configuration, parts) } catch {
      // What is in memory may be gone from the disk.
      try reopen(locking: false)
      throw error
    }
    try reopen(locking: false)
    return counts
  }
}
