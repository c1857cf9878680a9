import DaybookProtocol

extension SessionTimer {
  /// The time to get ready before the first round of an interval, in seconds.
  package static let lead = 10

  /// Milliseconds that it has run without pauses: at least 0, also when the clock was set back, and at most its length.
  package func elapsedMs(_ now: Instant) -> Int64 {
    let elapsed = max(0, (pausedAt ?? now).milliseconds - startedAt.milliseconds)
    return seconds.map { min(elapsed, Int64($0) * 1000) } ?? elapsed
  }

  /// When it runs out; nil while it is paused and for timers that count up.
  package var endsAt: Instant? {
    pausedAt == nil ? seconds.map { startedAt.advanced(by: Int64($0) * 1000) } : nil
  }

  /// Whether it has run out.
  package func isOver(_ now: Instant) -> Bool { seconds.map { elapsedMs(now) >= Int64($0) * 1000 } ?? false }

  /// The length of an interval: the lead, the rounds, and the breaks between them.
  package static func intervalSeconds(rounds: Int, work: Int, pause: Int) -> Int {
    lead + work * rounds + pause * (rounds - 1)
  }

  /// The state of the timer now.
  package func reading(_ now: Instant) -> TimerReading {
    let elapsed = Int(elapsedMs(now) / 1000)
    let isOver = isOver(now)
    var reading = TimerReading(
      timer: self, elapsedSeconds: elapsed, remainingSeconds: seconds.map { $0 - elapsed },
      running: pausedAt == nil && !isOver)
    guard kind == .interval, let phase = phase(elapsed) else { return reading }
    (reading.phase, reading.round, reading.phaseRemainingSeconds) = (phase.phase, phase.round, phase.ends - elapsed)
    return reading
  }

  /// The phase of an interval after some seconds, and the second at which it ends; nil for other timers.
  private func phase(_ elapsed: Int) -> (phase: IntervalPhase, round: Int, ends: Int)? {
    guard let rounds, let work = workSeconds, let pause = breakSeconds, let seconds else { return nil }
    if elapsed >= seconds { return (.complete, rounds, seconds) }
    if elapsed < SessionTimer.lead { return (.getReady, 0, SessionTimer.lead) }
    let since = elapsed - SessionTimer.lead
    let round = since / (work + pause)
    let start = SessionTimer.lead + round * (work + pause)
    return elapsed < start + work
      ? (.work, round + 1, start + work) : (.rest, round + 1, min(start + work + pause, seconds))
  }

  /// The measured seconds: of an interval those of work in a round, from 1; else all.
  func measuredSeconds(round: Int, _ now: Instant) -> Int {
    let elapsed = Int(min(elapsedMs(now) / 1000, Int64(SetRules.mostSeconds)))
    guard kind == .interval, let work = workSeconds, let pause = breakSeconds else { return elapsed }
    return min(work, max(0, elapsed - SessionTimer.lead - (round - 1) * (work + pause)))
  }

  /// Pauses the timer; does nothing while it is paused or when it has run out.
  package mutating func pause(_ now: Instant) {
    if pausedAt == nil, !isOver(now) { pausedAt = max(now, startedAt) }
  }

  /// Resumes the timer.
  package mutating func resume(_ now: Instant) {
    guard let pausedAt else { return }
    startedAt = startedAt.advanced(by: max(0, now.milliseconds - pausedAt.milliseconds))
    self.pausedAt = nil
  }

  /// An interval moved to its next phase; nil when that is the end, and for other timers.
  package func skipped(_ now: Instant) -> SessionTimer? {
    let elapsed = Int(elapsedMs(now) / 1000)
    guard kind == .interval, let phase = phase(elapsed), phase.ends < seconds ?? 0 else { return nil }
    var timer = self
    timer.startedAt = (pausedAt ?? now).advanced(by: -Int64(phase.ends) * 1000)
    return timer
  }
}
