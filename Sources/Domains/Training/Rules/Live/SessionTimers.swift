import CivilTime
import DaybookProtocol

extension SessionTimer {
  /// How long one gets ready before the first round of an interval, seconds.
  package static let lead = 10

  /// Milliseconds that it has run, without pauses: none when the clock was set back before it began, and at most its length.
  package func elapsedMs(_ now: Instant) -> Int64 {
    let elapsed = max(0, (pausedAt ?? now).milliseconds - startedAt.milliseconds)
    return seconds.map { min(elapsed, Int64($0) * 1000) } ?? elapsed
  }

  /// When it runs out; nil while it is stopped, and of one that counts up.
  package var endsAt: Instant? {
    pausedAt == nil ? seconds.map { startedAt.advanced(by: Int64($0) * 1000) } : nil
  }

  /// Whether it has run out.
  package func isOver(_ now: Instant) -> Bool { seconds.map { elapsedMs(now) >= Int64($0) * 1000 } ?? false }

  /// How long an interval is: the lead, the rounds, and a break between two of them.
  package static func intervalSeconds(rounds: Int, work: Int, pause: Int) -> Int {
    lead + work * rounds + pause * (rounds - 1)
  }

  /// The timer as it is now.
  package func reading(_ now: Instant) -> TimerReading {
    let elapsed = Int(elapsedMs(now) / 1000)
    let isOver = isOver(now)
    var reading = TimerReading(
      timer: self, elapsed: elapsed, remaining: seconds.map { $0 - elapsed }, running: pausedAt == nil && !isOver)
    guard kind == .interval, let phase = phase(elapsed) else { return reading }
    (reading.phase, reading.round, reading.phaseRemaining) = (phase.phase, phase.round, phase.ends - elapsed)
    return reading
  }

  /// Where an interval is after some seconds, and when its phase ends; nil of another timer.
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

  /// Stops it for a while; again, or when it is over, that changes nothing.
  package mutating func pause(_ now: Instant) {
    if pausedAt == nil, !isOver(now) { pausedAt = max(now, startedAt) }
  }

  /// Lets it go on.
  package mutating func resume(_ now: Instant) {
    guard let pausedAt else { return }
    startedAt = startedAt.advanced(by: max(0, now.milliseconds - pausedAt.milliseconds))
    self.pausedAt = nil
  }

  /// An interval at its next phase; nil where that is its end, and of another timer.
  package func skipped(_ now: Instant) -> SessionTimer? {
    let elapsed = Int(elapsedMs(now) / 1000)
    guard kind == .interval, let phase = phase(elapsed), phase.ends < seconds ?? 0 else { return nil }
    var timer = self
    timer.startedAt = (pausedAt ?? now).advanced(by: -Int64(phase.ends) * 1000)
    return timer
  }
}
