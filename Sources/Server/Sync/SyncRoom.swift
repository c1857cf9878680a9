import DomainKit
import JSON
import JSONRPC
import Platform
import SyncEngine
import SyncRules

/// The same data on several devices. Its state is in the data folder; here are only the passes of this process.
final class SyncRoom {
  let passes = SyncPasses()
  let heads = HeadsWatch()
  var schedule = SyncSchedule()
  /// Whether the device said that it is offline.
  var isOffline = false
  /// The rows as last counted, while revisions mean the same.
  private var outbox: (epoch: Int, counts: OutboxCounts)?
  /// The number of passes by hand that are not answered yet: their failure is told after the answer.
  var unanswered = 0
  /// What was announced last, and at which revision; nil before the first look.
  var announced: SyncAnnouncement?
  var announcedRevision: Int?
  /// The revisions of what other devices show that were announced last.
  var announcedMirrors: [Int] = []

  /// What passes depend on now.
  func conditions(_ desk: Desk) -> SyncConditions {
    SyncConditions(desk.standing, isRunning: passes.isRunning, isOffline: isOffline)
  }

  func syncStatus(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> SyncStatus {
    status(try desk.snapshot(), desk)
  }

  /// How sync stands in a snapshot, without reading the outbox once more.
  func status(_ snapshot: Snapshot?, _ desk: Desk) -> SyncStatus {
    SyncStatus(snapshot, conditions(desk)) { snapshot in
      let epoch = desk.epoch
      var counts = outbox.flatMap { $0.epoch == epoch ? $0.counts : nil }
      if let revision = counts?.revision, revision != snapshot.revision {
        let changed = desk.changed(since: revision, in: OutboxCounts.collection, atMost: OutboxCounts.followedChanges)
        if let changed { counts?.follow(changed, in: snapshot) } else { counts = nil }
      }
      let present = counts ?? OutboxCounts(snapshot)
      outbox = (epoch, present)
      return present
    }
  }

  func syncNow(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncNowResult> {
    let conditions = self.conditions(desk)
    try conditions.allowPass(SyncProfile(desk))
    let (passes, options) = (passes, desk.options)
    return Deferred { work throws(RPCError) in
      let worker = SyncWorker(configuration: work.configuration, options: options)
      let result = try await work.onThread("Syncing") { monitor throws(StoreError) in
        // It takes no more of the folder than small changes do, so that nothing has to wait for its end.
        work.endTurn()
        return passes.run(worker, .hand, monitor, patience: work.patience ?? SyncPasses.patience)
      }
      switch result {
      case .failure(let failure): throw failure.error
      case .success(let pass):
        var after = conditions
        after.isRunning = passes.isRunning
        return SyncNowResult(status: try await worker.status(after, work), pass: pass)
      }
    }
  }

  /// Deletes all records here and on the other devices, in the background.
  typealias Deletion = @Sendable (WorkMonitor) throws(StoreError) -> Result<SyncPass, SyncFailure>

  func deletionElsewhere(_ desk: Desk) throws(RPCError) -> Deletion {
    try conditions(desk).allowPass(SyncProfile(desk))
    let (passes, worker) = (passes, SyncWorker(configuration: desk.configuration, options: desk.options))
    return { monitor throws(StoreError) in
      // The deletions come after all that the others have said.
      if case .failure(let failure) = passes.run(worker, .hand, monitor) { return .failure(failure) }
      while try worker.step({ replica throws(StoreError) in try replica.deleteNext() }) {}
      return passes.run(worker, .hand, monitor)
    }
  }

  func syncDevices(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> SyncDevicesResult {
    guard let snapshot = try desk.snapshot(), let own = status(snapshot, desk).device else {
      return SyncDevicesResult(devices: [])
    }
    let others = SyncReport(snapshot).devices.map {
      SyncDevice(id: $0.stream, name: $0.name, version: $0.version, at: $0.at, own: false, removed: $0.isRemoved)
    }
    return SyncDevicesResult(devices: [own] + others)
  }

  func syncRemoveDevice(
    _ params: SyncRemoveDeviceParams, _ desk: inout Desk
  ) throws(RPCError) -> Deferred<SyncStatus> {
    guard let snapshot = try desk.snapshot(), SyncProfile(snapshot) != nil else { throw SyncFailure.off.error }
    guard let device = SyncReport(snapshot).devices.first(where: { $0.stream == params.deviceId }) else {
      throw RPCError(
        .notFound, "there is no other device with this id", pointer: "/deviceId", hint: "“sync/devices” lists them")
    }
    return changing(&desk, excludesPasses: true) { replica throws(StoreError) in try replica.remove(device) }
  }

  func syncLog(_ params: SyncLogParams, _ desk: inout Desk) throws(RPCError) -> SyncLogResult {
    let entries = try desk.snapshot().map { SyncReport($0).entries } ?? []
    return SyncLogResult(
      entries: entries.prefix(params.limit ?? SyncReport.maximumEntries).map { entry in
        SyncLogEntry(
          id: entry.id, at: entry.at, severity: SyncSeverity(entry.severity), phase: entry.phase.map { SyncPhase($0) },
          message: entry.message)
      })
  }
}

extension SyncConditions {
  /// Refuses a pass that cannot run.
  func allowPass(_ profile: SyncProfile?) throws(RPCError) {
    guard hasPremium || maySync else { throw RPCError(premiumFor: .sync) }
    let needs = needs(profile)
    guard needs.isEmpty, let profile else {
      throw RPCError(.syncOff, "sync is off", hint: SyncRoom.hint(needs))
    }
    guard !profile.isUndecided else { throw SyncFailure.undecided.error }
    guard !profile.isPaused else { throw SyncFailure.paused.error }
    guard !isOffline else {
      throw RPCError(.syncOffline, "the device is offline", hint: "a pass begins by itself when it is online again")
    }
  }
}

extension SyncRoom {
  static func hint(_ needs: [SyncNeed]) -> String {
    switch needs.first {
    case .premium: "it needs premium: “products/list”"
    case .restart: "premium was unlocked since this process began; start it again"
    default: "“sync/configure” names a remote"
    }
  }

  /// Does a piece of work on the data folder, and answers how sync stands after it.
  ///
  /// - Parameters:
  ///   - excludesPasses: Whether it changes what a pass works with: refused while any process runs one.
  ///   - backsUp: Whether a backup is made before.
  func changing(
    _ desk: inout Desk, excludesPasses: Bool = false, backsUp: Bool = false,
    _ body: @escaping @Sendable (Replica) throws(StoreError) -> Void
  ) -> Deferred<SyncStatus> {
    let (conditions, options) = (self.conditions(desk), desk.options)
    return Deferred { work throws(RPCError) in
      let worker = SyncWorker(configuration: work.configuration, options: options)
      let lock = excludesPasses ? worker.lockPasses() : nil
      defer { withExtendedLifetime(lock) {} }
      if excludesPasses, lock == nil { throw SyncFailure.busy.error }
      return try await work.onThread(nil) { monitor throws(StoreError) in
        if backsUp { try worker.backUp(monitor) }
        return try worker.step { replica throws(StoreError) in
          try body(replica)
          return SyncStatus(try replica.snapshot(), conditions)
        }
      }
    }
  }
}

extension SyncProfile {
  /// The profile of the folder; nil without a remote.
  init?(_ desk: borrowing Desk) throws(RPCError) {
    guard let snapshot = try desk.snapshot() else { return nil }
    self.init(snapshot)
  }
}

extension SyncSeverity {
  fileprivate init(_ severity: SyncReport.Severity) {
    self =
      switch severity {
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
  }
}
