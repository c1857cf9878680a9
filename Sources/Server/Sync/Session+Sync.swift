import DomainKit
import Platform
import Premium
import SyncEngine
import SyncRules

/// Sync without being asked: passes that begin by themselves in frontends, and events about its state.
extension Session {
  var syncConditions: SyncConditions {
    SyncConditions(
      hasPremium: hasPremiumAccess, maySync: entitlement.state.syncModeAtStart, isRunning: rooms.sync.passes.isRunning,
      isOffline: rooms.sync.isOffline)
  }

  /// With whom the folder syncs; nil without a remote, and before the store is read.
  private var syncProfile: SyncProfile? {
    guard let store, store.knownRevision != nil, !store.hasFailed else { return nil }
    return (try? store.snapshot).flatMap { SyncProfile($0) }
  }

  var syncsThisFolder: Bool { syncProfile != nil }

  /// Begins a pass in the background, if there can be one.
  func beginPass(_ trigger: PassTrigger) -> TaskOutcome {
    guard let profile = syncProfile else { return .skipped("there is no remote") }
    guard !client.isScript, !options.isSingleCall else { return .skipped("scripts run none by themselves") }
    guard !isLocked else { return .skipped("the app is locked") }
    do throws(RPCError) { try syncConditions.allowPass(profile) } catch { return .skipped("\(error.message)") }
    rooms.sync.schedule.begin()
    rooms.sync.heads.begin()
    let worker = SyncWorker(configuration: folderConfiguration, options: options)
    rooms.sync.passes.start(worker, trigger) { [weak self] in self?.enqueue { $0.passEnded() } }
    announceSync()
    return .done("a pass began")
  }

  private func passEnded() {
    rooms.sync.schedule.ended(at: Session.monotonicMilliseconds())
    _ = pollOthers()
    announceSync()
  }

  /// When a pass last succeeded, as the outcome of a task.
  var lastSync: TaskOutcome {
    guard syncProfile != nil, let snapshot = try? store?.snapshot else { return .skipped("there is no remote") }
    return .done(SyncReport(snapshot).lastSyncAt.map { "the last success was at \($0)" } ?? "no pass has succeeded yet")
  }

  /// Begins what is due; called once a second.
  func syncIfDue() {
    guard !client.isScript, let profile = syncProfile, !profile.isPaused else {
      rooms.sync.schedule = SyncSchedule()
      return
    }
    // Another device may have left something.
    rooms.sync.heads.look(at: profile.path + "/heads")
    let hasNews = !rooms.sync.passes.isRunning && rooms.sync.heads.hasNews
    let due = rooms.sync.schedule.due(at: Session.monotonicMilliseconds())
    guard let trigger = due ?? (hasNews ? .write : nil) else { return }
    // Another process may have run one.
    if trigger == .tick, let snapshot = try? store?.snapshot, let last = SyncReport(snapshot).lastPassAt,
      now().milliseconds - last.milliseconds < SyncSchedule.interval, last <= now()
    {
      return rooms.sync.schedule.ended(at: Session.monotonicMilliseconds())
    }
    _ = beginPass(trigger)
  }

  /// Notes a change of this process.
  func syncAfterWrite() { rooms.sync.schedule.wrote(at: Session.monotonicMilliseconds()) }

  /// Announces how sync stands after changes of any process; called once a second, as it reads the whole outbox.
  func announceSyncIfChanged() {
    if let revision = store?.knownRevision, revision != announced.syncRevision { announceSync() }
  }

  /// Announces how sync stands, if that changed, and a failed pass of any process.
  func announceSync() {
    guard client.receivesEvents, let store, store.knownRevision != nil, !store.hasFailed,
      let snapshot = try? store.snapshot
    else { return }
    let (status, problem) = (SyncStatus(snapshot, syncConditions), SyncReport(snapshot).problem)
    let (before, present) = (announced.sync, SyncAnnouncement(status, problem?.at))
    (announced.sync, announced.syncRevision) = (present, store.knownRevision)
    if !present.isSame(as: before) { emit(SyncStateChangedParams.method, SyncStateChangedParams(status: status)) }
    // A failure from before this start is in the state.
    guard let problem, problem.at != before?.problemAt, before != nil || problem.at >= host.startedAt else { return }
    let error = problem.wire
    emit(
      SyncErrorParams.method,
      SyncErrorParams(
        id: error.id, message: error.message, at: error.at, retryable: error.retryable, phase: error.phase,
        cause: error.cause, hint: error.hint))
  }
}

/// What was last said of sync.
struct SyncAnnouncement {
  private let state: SyncState
  private let attention: [SyncAttention]
  private let errorID: EntityID?
  private let counts: [Int]
  /// When the last pass failed.
  let problemAt: Instant?

  init(_ status: SyncStatus, _ problemAt: Instant?) {
    (state, attention, errorID) = (status.state, status.attention, status.error?.id)
    counts = [status.pending, status.failed, status.waitingDeletions, status.conflicts]
    self.problemAt = problemAt
  }

  /// Whether it says the same state as another; before the first, sync was off.
  func isSame(as other: SyncAnnouncement?) -> Bool {
    guard let other else { return state == .off }
    return state == other.state && attention == other.attention && errorID == other.errorID && counts == other.counts
  }
}
