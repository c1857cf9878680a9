import FileStore
import FileStoreTesting

/// One complete recovery of a disk without running processes, and the check of all guarantees.
package struct RecoveryCheck {
  let driver: any StoreDriver
  let settings: LabSettings
  /// Whether a loss may have been reported before, or something reported before may be missing.
  package var hasLossOnRecord = false
  /// What the file system guaranteed at the power cut; nil when it did not guarantee it.
  let profile: CrashProfile?

  package init(_ driver: any StoreDriver, settings: LabSettings = LabSettings(), profile: CrashProfile?) {
    self.driver = driver
    self.settings = settings
    self.profile = profile
  }

  /// Opens the store, reads everything, and returns its transactions. After failed syncs a line without an answer may
  /// have been seen and lost; then a loss may be reported.
  ///
  /// - Parameter isRepeated: Whether it is opened a second time to compare. Since opening is known to write nothing,
  ///   that is not needed every time.
  package mutating func callAsFunction(
    _ disk: SimulatedDisk, _ model: LabModel, failedSyncs: Int = 0, isRepeated: Bool = true
  ) throws(Violation) -> [Int?] {
    let mayLookLost =
      profile == .minimal || profile == .lying || hasLossOnRecord || failedSyncs > 0 && model.lastPossible != nil
    let first = try open(disk, as: 100) { store throws(Violation) in
      try look(store, model, mayLookLost, asksForIDs: isRepeated)
    }
    if isRepeated {
      let second = try open(disk, as: 101) { store throws(Violation) in
        try look(store, model, mayLookLost, asksForIDs: false)
      }
      if first.view != second.view {
        throw Violation("I9", "recovering twice shows something else than recovering once")
      }
    }
    if !disk.isPrivate(driver.folder) {
      throw Violation("I8", "not everything is closed to others: \(disk.walk(driver.folder).map { "\($0)" })")
    }
    hasLossOnRecord = hasLossOnRecord || first.isLossReported
    return first.view.revisions
  }

  /// Compares an open store with a model.
  private func look(
    _ store: any LabStore, _ model: LabModel, _ mayLookLost: Bool, asksForIDs: Bool
  ) throws(Violation) -> (view: StoreView, isLossReported: Bool) {
    let view = try StoreView(store, model)
    // Reading everything may find more than opening.
    var mismatch: Violation?
    do throws(Violation) {
      if asksForIDs { try view.checkIDs(store) }
      try model.checkRecords(store, view)
    } catch { mismatch = error }
    let losses = store.findings.filter(\.isLossPossible)
    // A lying disk may lose anything; what is left must still be consistent, or a loss be reported.
    if let mismatch, profile != .lying || losses.isEmpty && !hasLossOnRecord { throw mismatch }
    if profile != .lying {
      // On the minimal disk, a line that was never answered can look answered.
      try view.checkTransactions(model, allowsGaps: !losses.isEmpty || hasLossOnRecord)
      if !losses.isEmpty, !mayLookLost {
        throw Violation("I5", "a loss is reported where none can be: \(losses)")
      }
    }
    return (view, !losses.isEmpty)
  }

  /// I4: opens the store, which must work and write nothing; closes it after `body`.
  func open<Value>(
    _ disk: SimulatedDisk, as process: Int32, _ body: (any LabStore) throws(Violation) -> Value
  ) throws(Violation) -> Value {
    let changes = disk.changes
    let process = disk.process(process)
    switch driver.open(process, settings) {
    case .failed(let reason): throw Violation("I4", "opening fails: \(reason)")
    case .opened(let store):
      let value: Value
      do throws(Violation) { value = try body(store) } catch {
        store.close()
        throw error
      }
      store.close()
      if disk.changes != changes { throw Violation("I4", "opening wrote") }
      let left = disk.openDescriptors(of: process)
      if !left.isEmpty { throw Violation("leak", "closing leaves open: \(left)") }
      if disk.misuses > 0 { throw Violation("leak", "a descriptor was used that is not open") }
      return value
    }
  }
}
