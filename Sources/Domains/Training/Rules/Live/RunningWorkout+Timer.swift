import DaybookProtocol

/// The times that timers measure for sets.
extension RunningWorkout {
  /// What a timer has measured for a set, in whole seconds: one that has ended, else the present one. Nil for none, and
  /// for less than a second.
  package func measuredSeconds(_ set: EntityID, _ now: Instant) -> Int? {
    if let ended = session.measured?.first(where: { $0.setId == set }) { return ended.seconds }
    return session.timer.flatMap { times(of: $0, now).first { $0.setId == set }?.seconds }
  }

  /// Replaces the timer; what another one has measured is kept for its sets.
  package mutating func setTimer(_ timer: SessionTimer?, _ now: Instant) {
    if let old = session.timer, old.id != timer?.id {
      keepTimes(now)
      if let timer { forgetTimes(of: sets(of: timer).map(\.id)) }
    }
    session.timer = timer
  }

  /// Keeps what the timer has measured up to now, for sets for which nothing is kept. Rounds that are logged keep what
  /// was logged.
  package mutating func keepTimes(_ now: Instant) {
    guard let timer = session.timer else { return }
    var kept = (session.measured ?? []).filter { position(ofSet: $0.setId) != nil }
    let open = Set(sets(of: timer).filter { timer.kind == .exercise || $0.done != true }.map(\.id))
    kept += times(of: timer, now).filter { time in
      open.contains(time.setId) && !kept.contains { $0.setId == time.setId }
    }
    session.measured = kept.isEmpty ? nil : kept
  }

  /// Forgets what was measured for a set that has been logged, and ends the timer if it measures no other set.
  package mutating func endTimer(ofLogged set: EntityID) {
    forgetTimes(of: [set])
    guard let timer = session.timer else { return }
    let sets = timer.kind == .interval ? sets(of: timer) : []
    let isLast = sets.contains { $0.id == set } && sets.allSatisfy { $0.done == true }
    if isLast || timer.kind != .interval && timer.setId == set { session.timer = nil }
  }

  /// Whether an interval runs that has sets left to measure: no rest begins before they are done.
  package func isInInterval(_ now: Instant) -> Bool {
    guard let timer = session.timer, timer.kind == .interval, !timer.isOver(now) else { return false }
    return sets(of: timer).contains { $0.done != true }
  }

  private mutating func forgetTimes(of sets: [EntityID]) {
    session.measured?.removeAll { sets.contains($0.setId) }
    if session.measured?.isEmpty == true { session.measured = nil }
  }

  /// The sets that a timer measures: the one it belongs to; for an interval as many as it has rounds, each with both
  /// sides, from that one on in its group.
  private func sets(of timer: SessionTimer) -> [SetRecord] { rounds(of: timer).flatMap { $0 } }

  private func rounds(of timer: SessionTimer) -> [[SetRecord]] {
    guard timer.kind == .exercise || timer.kind == .interval, let id = timer.setId,
      let place = self[position(ofSet: id)]
    else { return [] }
    guard timer.kind == .interval else { return [[place.set]] }
    let rounds = place.group.logicalSets
    let first = rounds.firstIndex { $0.contains { $0.id == id } } ?? 0
    return Array(rounds[first...].prefix(timer.rounds ?? 1))
  }

  /// What a timer has measured for each of its sets.
  private func times(of timer: SessionTimer, _ now: Instant) -> [MeasuredTime] {
    zip(1..., rounds(of: timer)).flatMap { round, sets in
      let seconds = timer.measuredSeconds(round: round, now)
      return seconds > 0 ? sets.map { MeasuredTime(setId: $0.id, seconds: seconds) } : []
    }
  }
}
