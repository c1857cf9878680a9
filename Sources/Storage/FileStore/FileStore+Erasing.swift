extension FileStore {
  /// Permanently removes everything stored, any pending restore, and what `parts` names; the next change creates a new
  /// store. Other processes that have the folder open see it as replaced. Must not be called between `beginWriting`
  /// and `endWriting`.
  ///
  /// If it fails midway, the next process that opens the folder finishes it before reading anything.
  ///
  /// - Throws: `storeBusy` or `backupBusy` when others hold the locks for too long; `refusal`; write errors.
  package func erase(_ parts: Erasure.Parts = []) throws(StoreError) -> Erasure.Counts {
    if let refusal { throw refusal }
    guard try !isAbsent else { return Erasure.Counts() }
    try finish(result: nil)
    waitUntilDurable()
    // Keeps out backups, restores and restore requests meanwhile.
    let place = try BackupPlace.open(forWriting: configuration)
    defer { _ = place.home }
    if queue.hasFailed { rollBack() }
    let counts: Erasure.Counts
    do throws(StoreError) { counts = try Erasure.run(configuration, parts) } catch {
      // The in-memory state may no longer match the disk.
      try reopen(locking: false)
      throw error
    }
    try reopen(locking: false)
    return counts
  }
}
