extension StoreError.Code {
  /// There is no backup of that id.
  package static let backupNotFound = Self("backupNotFound")
  /// The backup is not what was once made, or was made of a damaged store: it cannot be restored.
  package static let backupDamaged = Self("backupDamaged")
  /// Another backup is being made or removed.
  package static let backupBusy = Self("backupBusy")
  /// It is the last backup that is in order.
  package static let lastBackup = Self("lastBackup")
  /// Nothing was ever stored.
  package static let nothingStored = Self("nothingStored")
  /// The caller has cancelled it.
  package static let cancelled = Self("cancelled")
}

/// How the caller follows a long piece of work, and can stop it.
package struct WorkMonitor: Sendable {
  /// Called from time to time with how much is done, 0…100.
  package var report: @Sendable (Int) -> Void
  /// Whether to stop. What is not done yet is then left undone.
  package var isCancelled: @Sendable () -> Bool

  package init(
    report: @escaping @Sendable (Int) -> Void = { _ in }, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.report = report
    self.isCancelled = isCancelled
  }

  /// Throws `cancelled` once it has been.
  package func check() throws(StoreError) {
    if isCancelled() { throw StoreError(.cancelled, "It was cancelled; nothing was changed.") }
  }

  /// A part of the work, whose reports lie between two numbers of the whole's.
  package func part(_ range: ClosedRange<Int>) -> WorkMonitor {
    let (report, start, length) = (report, range.lowerBound, range.upperBound - range.lowerBound)
    return WorkMonitor(report: { report(start + $0 * length / 100) }, isCancelled: isCancelled)
  }
}
