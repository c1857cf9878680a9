import DomainKit
import Platform
import SyncEngine
import SyncRules

/// What sync does unasked: passes that begin by themselves in frontends, and events about its state.
extension SyncRoom {
  /// Begins a pass in the background, if there can be one.
  func begin(_ trigger: PassTrigger, _ desk: inout Desk) -> TaskOutcome {
    guard let profile = desk.knownSnapshot.flatMap({ SyncProfile($0) }) else { return .skipped("there is no remote") }
    let standing = desk.standing
    guard standing.isFrontend else { return .skipped("scripts run none by themselves") }
    guard !standing.isLocked else { return .skipped("the app is locked") }
    do throws(RPCError) { try conditions(desk).allowPass(profile) } catch { return .skipped("\(error.message)") }
    schedule.begin()
    heads.begin()
    let worker = SyncWorker(configuration: desk.configuration, options: desk.options)
    passes.start(worker, trigger, end: desk.returning { rooms, desk in rooms.sync.passEnded(&desk) })
    announce(&desk)
    return .done("a pass began")
  }

  private func passEnded(_ desk: inout Desk) {
    schedule.ended(at: Session.monotonicMilliseconds())
    announce(&desk)
  }

  /// When a pass last succeeded, as the outcome of a task.
  func lastSync(_ desk: Desk) -> TaskOutcome {
    guard let snapshot = desk.knownSnapshot, SyncProfile(snapshot) != nil else { return .skipped("there is no remote") }
    return .done(SyncReport(snapshot).lastSyncAt.map { "the last success was at \($0)" } ?? "no pass has succeeded yet")
  }

  /// Notes that a pass by hand begins.
  func beginRequest() { unanswered += 1 }

  /// Notes that it is answered.
  func endRequest(_ desk: inout Desk) {
    unanswered -= 1
    announce(&desk)
  }

  /// Notes a change of this process.
  func wrote() { schedule.wrote(at: Session.monotonicMilliseconds()) }

  /// Announces what changed, and begins what is due; called once a second.
  func tick(_ desk: inout Desk) {
    guard let snapshot = desk.knownSnapshot else { return }
    if snapshot.revision != announcedRevision { announce(&desk) }
    guard desk.standing.isFrontend, let profile = SyncProfile(snapshot), !profile.isPaused else {
      schedule = SyncSchedule()
      return
    }
    // Another device may have left something.
    heads.look(at: profile.path + "/heads")
    let hasNews = !passes.isRunning && heads.hasNews
    let due = schedule.due(at: Session.monotonicMilliseconds())
    guard let trigger = due ?? (hasNews ? .write : nil) else { return }
    if trigger == .tick, isRecent(SyncReport(snapshot).lastPassAt, desk.now) {
      // Another process has run one.
      return schedule.ended(at: Session.monotonicMilliseconds())
    }
    _ = begin(trigger, &desk)
  }

  private func isRecent(_ last: Instant?, _ now: Instant) -> Bool {
    last.map { $0 <= now && now.milliseconds - $0.milliseconds < SyncSchedule.interval } ?? false
  }

  /// Announces how sync stands, if that changed, and a failed pass of any process.
  func announce(_ desk: inout Desk) {
    let standing = desk.standing
    guard standing.receivesEvents, let snapshot = desk.knownSnapshot else { return }
    let (status, problem) = (status(snapshot, desk), SyncReport(snapshot).problem)
    let before = announced
    let present = SyncAnnouncement(status, unanswered > 0 ? before?.problemAt : problem?.at)
    (announced, announcedRevision) = (present, snapshot.revision)
    if !present.isSame(as: before) { desk.emit(SyncStateChangedParams.method, SyncStateChangedParams(status: status)) }
    let mirrors = MirroredRecords.revisions(snapshot)
    if announcedMirrors != mirrors {
      desk.emit(ElsewhereChangedParams.method, ElsewhereChangedParams(domains: MirroredRecords.domains))
    }
    announcedMirrors = mirrors
    // A failure from before this start is in the state.
    guard unanswered == 0, let problem, problem.at != before?.problemAt,
      before != nil || problem.at >= standing.startedAt
    else { return }
    let error = problem.wire
    desk.emit(
      SyncErrorParams.method,
      SyncErrorParams(
        id: error.id, message: error.message, at: error.at, retryable: error.retryable, phase: error.phase,
        cause: error.cause, hint: error.hint))
  }
}
