import FileStoreTesting

/// Plays a history: processes on one disk, and a model of the answers they got.
package final class LabWorld {
  let driver: any StoreDriver
  private let history: LabHistory
  /// How the disk behaves at a power cut.
  private let profile: CrashProfile
  package internal(set) var disk: SimulatedDisk
  package internal(set) var model = LabModel()
  /// Power cuts that were recovered from and checked.
  package private(set) var points = 0
  var seats: [LabSeat]
  var areFaultsActive = false
  var hadFaults = false
  /// Whether a process was killed, so that a journal may end without naming its successor.
  var hadKills = false
  var hasLossOnRecord = false
  /// The revision up to which each checkpoint may have folded.
  var foldings: [Int] = []
  private var openings: UInt64 = 0
  /// Called before each step, for tracing.
  package var onStep: ((Int, LabStep) -> Void)?

  package init(_ driver: any StoreDriver, _ history: LabHistory, profile: CrashProfile, disk: SimulatedDisk? = nil) {
    self.driver = driver
    self.history = history
    self.profile = profile
    self.disk = disk ?? LabWorld.emptyDisk()
    let mapsFiles = history.settings.seed % 4 != 0
    self.disk.setFaults { $0.mapsFiles = mapsFiles }
    seats = Array(repeating: LabSeat(), count: (history.steps.map(\.process).max() ?? 0) + 1)
  }

  /// An empty disk.
  package static func emptyDisk() -> SimulatedDisk {
    let disk = SimulatedDisk()
    disk.isTracing = false
    return disk
  }

  /// Plays everything; all processes have ended afterwards.
  package func play(startingWith model: LabModel = LabModel(), hasLossOnRecord: Bool = false) throws(Violation) {
    self.model = model
    self.hasLossOnRecord = hasLossOnRecord
    disk.setMark(model.mark)
    for (index, step) in history.steps.enumerated() {
      onStep?(index, step)
      do throws(Violation) { try play(step) } catch {
        abandon()
        throw error.at("step \(index), \(step)")
      }
    }
    do throws(Violation) { try converge() } catch {
      abandon()
      throw error.at("the end")
    }
    abandon()
  }

  /// Abandons all stores without closing them in order.
  private func abandon() {
    for seat in seats.indices { end(seat) }
  }

  private func play(_ step: LabStep) throws(Violation) {
    switch step.interruption {
    case nil: try perform(step)
    case .kill(let calls):
      hadKills = true
      if seats[step.process].fileSystem == nil { seats[step.process].fileSystem = disk.process(Int32(step.process)) }
      if let fileSystem = seats[step.process].fileSystem { disk.kill(fileSystem, afterCalls: calls) }
      try perform(step)
      end(step.process)
    case .powerCut(let calls, let seed):
      disk.cutPower(afterCalls: calls)
      try perform(step)
      abandon()
      let failedSyncs = disk.failedSyncs
      disk = disk.afterCrash(.drawn(profile, seed: seed))
      areFaultsActive = false
      points += 1
      var check = RecoveryCheck(driver, settings: history.settings, profile: profile)
      check.hasLossOnRecord = hasLossOnRecord
      model.settle(try check(disk, model, failedSyncs: failedSyncs))
      hasLossOnRecord = check.hasLossOnRecord || failedSyncs > 0 && model.lastPossible != nil
      disk.setMark(model.mark)
    }
  }

  /// Kills a process.
  private func end(_ seat: Int) {
    if let fileSystem = seats[seat].fileSystem { disk.kill(fileSystem) }
    seats[seat].store?.close()
    seats[seat] = LabSeat()
  }

  /// Whether a process's present answers do not count.
  func isGone(_ seat: Int) -> Bool { seats[seat].fileSystem.map { disk.isDead($0) } ?? false }

  /// Whether failures of a process are to be expected.
  func isExcused(_ seat: Int) -> Bool { isGone(seat) || areFaultsActive }

  /// Whether another process is in the write window.
  func isShutOut(_ seat: Int) -> Bool { seats.indices.contains { $0 != seat && seats[$0].isInside && !isGone($0) } }

  // MARK: opening and closing

  /// A process's store, opened if needed; nil when it cannot be opened for a legitimate reason.
  func open(_ seat: Int) throws(Violation) -> (any LabStore)? {
    if let store = seats[seat].store { return store }
    let fileSystem = seats[seat].fileSystem ?? disk.process(Int32(seat))
    seats[seat].fileSystem = fileSystem
    let changes = disk.changes
    // Ids are random to the store: no two processes make the same.
    var settings = history.settings
    openings += 1
    settings.seed = settings.seed &+ openings &* 0x9E37_79B9
    let opening = driver.open(fileSystem, settings)
    if disk.changes != changes { throw Violation("I4", "opening wrote") }
    switch opening {
    case .opened(let store):
      seats[seat].store = store
      if !isExcused(seat) { try look(seat, isUpToDate: true) }
      return store
    case .failed(let reason):
      if !isExcused(seat) { throw Violation("I4", "opening fails: \(reason)") }
    }
    return nil
  }

  func close(_ seat: Int) throws(Violation) {
    guard let store = seats[seat].store else { return }
    store.close()
    seats[seat].store = nil
    seats[seat].isInside = false
    guard let fileSystem = seats[seat].fileSystem, !isGone(seat) else {
      seats[seat].held = []
      return
    }
    // Held snapshots can still be read.
    try compare(seat)
    seats[seat].held = []
    if isGone(seat) { return }
    let left = disk.openDescriptors(of: fileSystem)
    if !left.isEmpty { throw Violation("leak", "closing leaves open: \(left)") }
    if disk.misuses > 0 { throw Violation("leak", "a descriptor was used that is not open") }
  }

  // MARK: reading

  /// A running store shows exactly the result of the transactions it has; an up-to-date one has them all.
  @discardableResult
  func look(_ seat: Int, isUpToDate: Bool = false) throws(Violation) -> StoreView? {
    guard let store = seats[seat].store, !isGone(seat) else { return nil }
    if let problem = store.refresh() {
      if isExcused(seat) { return nil }
      throw Violation("I4", "reading fails: \(problem)")
    }
    do throws(Violation) {
      let view = try StoreView(store, model)
      try model.checkRecords(store, view)
      if isUpToDate, !hadFaults, profile != .lying {
        try view.checkTransactions(model, allowsGaps: hasLossOnRecord)
      }
      return view
    } catch {
      if isGone(seat) { return nil }
      // A temporary read failure must at least be reported; and a lying disk may lose anything.
      if isExcused(seat), store.findings.contains(where: \.isLossPossible) { return nil }
      if profile == .lying, hasLossOnRecord { return nil }
      throw error
    }
  }

  /// A process's held snapshots are unchanged.
  func compare(_ seat: Int) throws(Violation) {
    if isExcused(seat) { return }
    do throws(Violation) { try seats[seat].compare(model) } catch {
      // On a lying disk segments may have been lost long before.
      if !isGone(seat), profile != .lying { throw error }
    }
  }

  /// I7: after a full follow, all processes have the same.
  private func converge() throws(Violation) {
    guard !areFaultsActive, driver.verbs.contains(.poll) else { return }
    var first: (seat: Int, view: StoreView)?
    for seat in seats.indices where seats[seat].isInside { leave(seat) }
    for seat in seats.indices {
      guard let store = seats[seat].store, !isGone(seat) else { continue }
      if let problem = store.perform(.poll) { throw Violation("I7", "process \(seat) cannot follow: \(problem)") }
      guard let view = try look(seat, isUpToDate: true) else { continue }
      if let first, first.view != view {
        throw Violation("I7", "processes \(first.seat) and \(seat) do not have the same: \(first.view) and \(view)")
      }
      first = (seat, view)
      try compare(seat)
    }
  }

  func leave(_ seat: Int) {
    guard seats[seat].isInside else { return }
    seats[seat].isInside = false
    seats[seat].store?.leave()
  }

  /// Nothing in memory is neither durable nor rolled back.
  func checkSettled(_ seat: Int) throws(Violation) {
    if let store = seats[seat].store, !isGone(seat), !store.isSettled {
      throw Violation("settled", "what was written is neither durable nor rolled back")
    }
  }
}
