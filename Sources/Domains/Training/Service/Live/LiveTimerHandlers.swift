import DomainKit
import Training

/// The timer of the running session: one at a time, derived from the instant it started.
extension TrainingService {
  func workoutSessionStartTimer(
    _ params: WorkoutSessionStartTimerParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    let workout = try present(context)
    let place: RunningPlace?
    do throws(RunningRefusal) {
      place = params.setId == nil ? workout.current : try workout.place(ofSet: params.setId)
    } catch { throw RPCError(error) }
    let isInterval = params.kind == .interval
    if !isInterval, params.rounds != nil || params.workSeconds != nil || params.breakSeconds != nil {
      throw RPCError(
        .invalidParams, "rounds belong to an interval", pointer: "/kind", allowed: "“interval”")
    }
    var timer = SessionTimer(
      id: context.newID(), kind: params.kind, startedAt: context.now, seconds: params.seconds,
      exerciseId: place?.exercise.id, setId: place?.set.id)
    switch params.kind {
    case .interval:
      let (rounds, work, pause) = (
        params.rounds ?? min(100, place?.group.sets.logicalCount ?? 1),
        params.workSeconds ?? place?.group.workSeconds ?? SetRules.work,
        params.breakSeconds ?? place?.group.breakSeconds ?? SetRules.pause
      )
      try RPCError.check(
        params.seconds == nil, "the length of an interval follows from its rounds", pointer: "/seconds",
        allowed: "nothing here")
      (timer.rounds, timer.workSeconds, timer.breakSeconds) = (rounds, work, pause)
      timer.seconds = SessionTimer.intervalSeconds(rounds: rounds, work: work, pause: pause)
    case .rest:
      let fallback = try place.map { place throws(RPCError) in try rest(after: place, workout, context) } ?? 0
      let settings = try trainingSettings(context)
      timer.seconds = params.seconds ?? (fallback > 0 ? fallback : max(1, settings.restSeconds))
    case .exercise, .unknown:
      timer.seconds = params.seconds ?? place?.set.target?.seconds ?? place?.group.limitSeconds
    }
    if let seconds = timer.seconds, !(1...360_000).contains(seconds) { timer.seconds = seconds < 1 ? nil : 360_000 }
    let (made, now) = (timer, context.now)
    return try change(&context) { workout, _ throws(RunningRefusal) in
      workout.setTimer(made, now)
      return nil
    }
  }

  func workoutSessionChangeTimer(
    _ params: WorkoutSessionChangeTimerParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    guard let timer = try present(context).session.timer else {
      throw RPCError(
        .invalidParams, "no timer is running", pointer: "/action", hint: "“workoutSession/startTimer” starts one")
    }
    try RPCError.check(
      params.action == .adjust || params.seconds == nil, "seconds belong to “adjust”", pointer: "/seconds",
      allowed: "nothing here")
    let now = context.now
    let changed = try TrainingService.changed(timer, params, now)
    return try change(&context) { workout, _ throws(RunningRefusal) in
      // A skipped phase counts as far as it went.
      if params.action == .skip { workout.keepTimes(now) }
      workout.setTimer(changed, now)
      return nil
    }
  }

  private static func changed(
    _ timer: SessionTimer, _ params: WorkoutSessionChangeTimerParams, _ now: Instant
  ) throws(RPCError) -> SessionTimer? {
    var changed = timer
    switch params.action {
    case .pause: changed.pause(now)
    case .resume: changed.resume(now)
    case .skip: return timer.skipped(now)
    case .stop: return nil
    case .adjust:
      guard let by = params.seconds, let seconds = timer.seconds, timer.kind != .interval else {
        throw RPCError(
          .invalidParams, params.seconds == nil ? "it does not say by how much" : "this timer has no length to change",
          pointer: params.seconds == nil ? "/seconds" : "/action",
          allowed: params.seconds == nil ? "seconds, with a sign" : "a rest or an exercise with a length")
      }
      // No time is left.
      guard seconds + by > Int(timer.elapsedMs(now) / 1000) else { return nil }
      changed.seconds = min(360_000, seconds + by)
    case .unknown: break
    }
    return changed
  }

  // MARK: timers that run out

  /// The timer that has run out since the last check. Each process reports it once, and never one that ended before the
  /// first check.
  package func tick(_ context: Context) -> [Event] {
    let checked = checkedAt ?? context.now
    checkedAt = context.now
    guard let timer = (try? running(context))?.session.timer, let end = timer.endsAt, checked < end,
      end <= context.now, timer != announcedTimer
    else { return [] }
    announcedTimer = timer
    return [
      Event(
        TimerFinishedParams.method,
        TimerFinishedParams(timer: timer, at: end, revision: (try? context.storeRevision()) ?? 0))
    ]
  }
}
