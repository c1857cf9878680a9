import FileStoreTesting

/// Plays a history: processes on one disk, and a model of what they were told.
package final class LabWorld {
  private struct Seat {
    var fileSystem: SimulatedProcess?
    var store: (any LabStore)?
    /// Whether another process had the store open since this one opened it.
    var hasCompany = false
  }

  private let driver: any StoreDriver
  private let history: LabHistory
  /// How the disk behaves when the power goes off.
  private let profile: CrashProfile
  package private(set) var disk: SimulatedDisk
  package private(set) var model = LabModel()
  /// Power cuts that were recovered from and checked.
  package private(set) var points = 0
  private var seats: [Seat]
  private var areFaultsActive = false
  private var hadFaults = false
  private var openings: UInt64 = 0
  private var hasLossOnRecord = false
  /// Called before each step, for a trace.
  package var onStep: ((Int, LabStep) -> Void)?

  package init(_ driver: any StoreDriver, _ history: LabHistory, profile: CrashProfile, disk: SimulatedDisk? = nil) {
    self.driver = driver
    self.history = history
    self.profile = profile
    self.disk = disk ?? LabWorld.emptyDisk()
    seats = Array(repeating: Seat(), count: (history.steps.map(\.process).max() ?? 0) + 1)
  }

  /// A disk on which nothing was ever written.
  package static func emptyDisk() -> SimulatedDisk {
    let disk = SimulatedDisk()
    disk.isTracing = false
    return disk
  }

  /// Plays everything; all processes are gone afterwards.
  package func play(startingWith model: LabModel = LabModel()) throws(Violation) {
    self.model = model
    disk.setMark(model.mark)
    for (index, step) in history.steps.enumerated() {
      onStep?(index, step)
      do throws(Violation) { try play(step) } catch {
        leave()
        throw error.at("step \(index), \(step)")
      }
    }
    leave()
  }

  /// Lets go of all stores, without closing them in order.
  private func leave() {
    for seat in seats.indices { end(seat) }
  }

  private func play(_ step: LabStep) throws(Violation) {
    switch step.interruption {
    case nil: try perform(step)
    case .kill(let calls):
      if seats[step.process].fileSystem == nil { seats[step.process].fileSystem = disk.process(Int32(step.process)) }
      if let fileSystem = seats[step.process].fileSystem { disk.kill(fileSystem, afterCalls: calls) }
      try perform(step)
      end(step.process)
    case .powerCut(let calls, let seed):
      disk.cutPower(afterCalls: calls)
      try perform(step)
      leave()
      let failedSyncs = disk.failedSyncs
      disk = disk.afterCrash(.drawn(profile, seed: seed))
      areFaultsActive = false
      points += 1
      var check = RecoveryCheck(driver, settings: history.settings, profile: profile)
      check.hasLossOnRecord = hasLossOnRecord
      hasLossOnRecord = hasLossOnRecord || failedSyncs > 0 && model.lastPossible != nil
      model.settle(try check(disk, model, failedSyncs: failedSyncs))
      disk.setMark(model.mark)
    }
  }

  /// Kills a process.
  private func end(_ seat: Int) {
    if let fileSystem = seats[seat].fileSystem { disk.kill(fileSystem) }
    seats[seat].store?.close()
    seats[seat] = Seat()
  }

  /// Whether what a process does at present counts for nothing.
  private func isGone(_ seat: Int) -> Bool { seats[seat].fileSystem.map { disk.isDead($0) } ?? false }

  private func perform(_ step: LabStep) throws(Violation) {
    let seat = step.process
    switch step.action {
    case .open: _ = try open(seat)
    case .commit(let changes):
      guard let store = try open(seat) else { return }
      try commit(model.begin(changes), store, seat)
    case .retry:
      guard let transaction = model.lastPossible, let store = try open(seat) else { return }
      try commit(transaction, store, seat, isRetry: true)
    case .look:
      guard let store = seats[seat].store, !isGone(seat) else { return }
      try look(store)
    case .close: try close(seat)
    case .perform(let verb):
      guard let store = try open(seat) else { return }
      if let problem = store.perform(verb), !isGone(seat), !areFaultsActive {
        throw Violation("I10", "\(verb) fails: \(problem)")
      }
    case .faults(let faults):
      areFaultsActive = faults.text != LabFaults.none.text
      hadFaults = hadFaults || areFaultsActive
      disk.setFaults { present in
        present.freeBytes = faults.freeBytes
        present.longestAppend = faults.longestAppend
        present.failingSyncs = faults.failingSyncs
        present.rules = faults.rules
      }
    }
  }

  /// The store of a process, opened if it is not; nil when it cannot be had in an orderly way.
  private func open(_ seat: Int) throws(Violation) -> (any LabStore)? {
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
      let others = seats.indices.filter { $0 != seat && seats[$0].store != nil }
      for other in others { seats[other].hasCompany = true }
      seats[seat].hasCompany = !others.isEmpty
      if !isGone(seat), !areFaultsActive { try look(store) }
      return store
    case .busy(let reason):
      let isExpected = seats.indices.contains { $0 != seat && seats[$0].store != nil }
      if !isExpected, !isGone(seat) { throw Violation("I4", "nobody else is there, yet opening says: \(reason)") }
    case .failed(let reason):
      if !isGone(seat), !areFaultsActive { throw Violation("I4", "opening fails: \(reason)") }
    }
    return nil
  }

  private func commit(
    _ transaction: LabTransaction, _ store: any LabStore, _ seat: Int, isRetry: Bool = false
  ) throws(Violation) {
    let isAlone = !seats[seat].hasCompany
    disk.setMark(model.mark)
    // After a failed sync the cache shows what the medium may not have, and no later process can know that.
    let mayBeShownFalsely = disk.failedSyncs > 0 && store.revision(of: transaction.number) != nil
    let answer = store.commit(transaction)
    // What the dead were told counts for nothing.
    if isGone(seat) { return }
    switch answer {
    case .acknowledged(let revision):
      if mayBeShownFalsely { return }
      set(transaction.number, .acknowledged(revision))
      // An answer says that everything before it is safe too, unless a failed sync threw it away unseen.
      for number in model.transactions.indices where model.statuses[number] == .possible && disk.failedSyncs == 0 {
        if let revision = store.revision(of: number) { set(number, .acknowledged(revision)) }
      }
    case .refused(let reason):
      if isAlone, !hadFaults { throw Violation("I4", "a commit is refused: \(reason)") }
      // What an earlier attempt left is not taken back by that.
      if !isRetry { set(transaction.number, .absent) }
    case .unknown(let reason):
      if isAlone, !hadFaults { throw Violation("I4", "a commit fails: \(reason)") }
    }
    try look(store)
  }

  private func set(_ number: Int, _ status: LabModel.Status) {
    model.set(number, status)
    disk.setMark(model.mark)
  }

  private func close(_ seat: Int) throws(Violation) {
    guard let store = seats[seat].store else { return }
    store.close()
    seats[seat].store = nil
    guard let fileSystem = seats[seat].fileSystem, !isGone(seat) else { return }
    let left = disk.openDescriptors(of: fileSystem)
    if left > 0 { throw Violation("leak", "closing leaves \(left) descriptors open") }
    if disk.misuses > 0 { throw Violation("leak", "a descriptor was used that is not open") }
  }

  /// What a running store shows is what the transactions that it has make.
  private func look(_ store: any LabStore) throws(Violation) {
    try model.checkRecords(store, StoreView(store, model))
  }
}
