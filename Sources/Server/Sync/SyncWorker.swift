import DomainKit
import Platform
import SyncEngine
import SyncRemotes
import SyncRules

/// The data folder and its remote, off the session: each piece of work opens the folder as another process would.
struct SyncWorker: Sendable {
  let configuration: FileStore.Configuration
  let options: ServiceOptions

  private var now: @Sendable () -> Instant { options.now }

  func remote(at path: String) -> FolderRemote { FolderRemote(path, PosixFileSystem(), newID: options.newID) }

  /// Runs a step on the data folder, under its lock.
  func step<Value: Sendable>(
    _ body: @Sendable (Replica) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let store = try FileStore.open(configuration)
    defer { store.close() }
    return try device(store).perform(body)
  }

  private func device(_ store: FileStore, _ monitor: WorkMonitor = WorkMonitor()) -> OpenedDevice {
    OpenedDevice(
      replica: Replica(store, SyncCollections.all, newID: options.newID, now: now), monitor: monitor, worker: self)
  }

  /// What a pass holds while it runs; nil if another still does after `patience` milliseconds.
  func lockPasses(_ monitor: WorkMonitor = WorkMonitor(), patience: Int = 0) -> FileLock? {
    let path = options.dataFolder + "/sync.lock"
    guard let lock = FileLock(path: path) else {
      return patience == 0 ? nil : FileLock.awaited(path: path, milliseconds: patience) { !monitor.isCancelled() }
    }
    return lock
  }

  /// Makes a backup before sync changes much, unless there is nothing of the user's.
  func backUp(_ monitor: WorkMonitor) throws(StoreError) {
    let isEmpty = try step { replica throws(StoreError) in try replica.snapshot().userRecordCount == 0 }
    if !isEmpty { _ = try Backups(configuration).create(.beforeSync, monitor) }
  }

  /// How sync stands, read off the session.
  func status(_ conditions: SyncConditions, _ work: any Work) async throws(RPCError) -> SyncStatus {
    try await work.onThread(nil) { _ throws(StoreError) in
      try step { replica throws(StoreError) in SyncStatus(try replica.snapshot(), conditions) }
    }
  }

  /// Runs a pass, and reports how it went.
  ///
  /// - Parameter patience: How long it waits for the end of another process's pass, in milliseconds.
  func pass(_ trigger: PassTrigger, _ monitor: WorkMonitor, patience: Int = 0) -> Result<SyncPass, SyncFailure> {
    guard let lock = lockPasses(monitor, patience: patience) else {
      return .failure(monitor.isCancelled() ? .cancelled : .busy)
    }
    defer { withExtendedLifetime(lock) {} }
    do throws(StoreError) {
      let store = try FileStore.open(configuration)
      defer { store.close() }
      return try pass(trigger, device(store, monitor))
    } catch { return .failure(error.code == .cancelled ? .cancelled : .store(error)) }
  }

  private func pass(
    _ trigger: PassTrigger, _ device: OpenedDevice
  ) throws(StoreError) -> Result<SyncPass, SyncFailure> {
    guard let profile = try device.perform({ replica throws(StoreError) in try replica.profile() }) else {
      return .failure(.off)
    }
    guard !profile.isUndecided else { return .failure(.undecided) }
    guard !profile.isPaused else { return .failure(.paused) }
    var device = device
    device.storeID = profile.storeID
    let (began, clock) = (now(), Clock.monotonicNanoseconds())
    do throws(PassFailure) {
      let outcome = try exchange(trigger, profile, device)
      let ended = now()
      try device.reporting { replica throws(StoreError) in
        try replica.report { $0.succeeded(outcome, at: ended, newID: options.newID) }
      }
      let received = outcome.received
      return .success(
        SyncPass(
          sent: outcome.sent, received: received.changed - received.deleted, deleted: received.deleted,
          conflicts: received.conflicts, startedAt: began,
          tookMs: Int((Clock.monotonicNanoseconds() &- clock) / 1_000_000)))
    } catch {
      guard let problem = SyncReport.Problem(error, id: options.newID(), at: now()) else {
        if case .store(let error) = error { throw error }
        return .failure(.cancelled)
      }
      let reported = try device.perform { replica throws(StoreError) in
        try replica.report {
          $0.failed(problem.phase, problem.cause, problem.message, at: problem.at, id: problem.id)
        }
        return try replica.lastProblem()
      }
      return .failure(.failed(reported ?? problem))
    }
  }

  private func exchange(
    _ trigger: PassTrigger, _ profile: SyncProfile, _ device: OpenedDevice
  ) throws(PassFailure) -> PassOutcome {
    let remote = remote(at: profile.path)
    do throws(RemoteFailure) { _ = try RemoteIdentity(of: remote, expected: profile.storeID) } catch {
      throw .remote(error, .open)
    }
    let sender = Pass<FolderRemote, OpenedDevice>.Sender(device: profile.deviceName, version: ServiceOptions.version)
    return try Pass(remote, device, SyncCollections.all, trigger, sender).run()
  }
}

/// An opened store as a pass sees it. Between two steps other processes write.
private struct OpenedDevice: PassDevice {
  let replica: Replica
  let monitor: WorkMonitor
  let worker: SyncWorker
  /// The remote of the pass: it ends when the user has it forgotten, or has to say which state stays.
  var storeID: EntityID?

  func perform<Value: Sendable>(
    _ step: @Sendable (Replica) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try monitor.check()
    return try replica.locked { replica throws(StoreError) in
      if let storeID {
        let profile = try replica.profile()
        guard profile?.storeID == storeID, profile?.isUndecided == false else {
          throw StoreError(.cancelled, "The remote was forgotten meanwhile, or the records were replaced.")
        }
      }
      return try step(replica)
    }
  }

  func backUp() throws(StoreError) { try worker.backUp(monitor) }

  func reporting(_ step: @Sendable (Replica) throws(StoreError) -> Void) throws(PassFailure) {
    do throws(StoreError) { try perform(step) } catch { throw .store(error) }
  }
}
