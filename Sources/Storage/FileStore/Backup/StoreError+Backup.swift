import Platform

extension StoreError.Code {
  package static let backupNotFound = Self("backupNotFound")
  /// The backup differs from what was written, or was made of a damaged store: it cannot be restored.
  package static let backupDamaged = Self("backupDamaged")
  /// Another backup is being made or removed.
  package static let backupBusy = Self("backupBusy")
  /// It is the last intact backup.
  package static let lastBackup = Self("lastBackup")
  package static let nothingStored = Self("nothingStored")
  package static let cancelled = Self("cancelled")
}

/// Reports the progress of a long operation, and lets the caller cancel it.
package struct WorkMonitor: Sendable {
  /// Called from time to time with the percentage done, 0…100.
  package var report: @Sendable (Int) -> Void
  /// Whether to cancel. Work not done yet is then left undone.
  package var isCancelled: @Sendable () -> Bool

  package init(
    report: @escaping @Sendable (Int) -> Void = { _ in }, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.report = report
    self.isCancelled = isCancelled
  }

  package func check() throws(StoreError) {
    if isCancelled() { throw StoreError(.cancelled, "It was cancelled; nothing was changed.") }
  }

  /// How long work waits for others by default, in milliseconds.
  static let longestWait = 30_000

  /// Waits until `isReady`, for at most `limit` milliseconds; false when it still is not. A simulation does not wait:
  /// nobody else could make progress.
  ///
  /// - Throws: `cancelled`, or what `isReady` throws.
  func wait(
    _ configuration: FileStore.Configuration, upTo limit: Int = longestWait,
    until isReady: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    var left = configuration.isInline ? 0 : limit
    while try !isReady() {
      guard left > 0 else { return false }
      try check()
      left -= 1
      Threads.rest(milliseconds: 1)
    }
    return true
  }

  /// A monitor for a part of the work, which reports within a range of the whole.
  package func part(_ range: ClosedRange<Int>) -> WorkMonitor {
    let (report, start, length) = (report, range.lowerBound, range.upperBound - range.lowerBound)
    return WorkMonitor(report: { report(start + $0 * length / 100) }, isCancelled: isCancelled)
  }
}
