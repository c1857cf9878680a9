/// The instants at which a wall clock in a zone shows a given time.
package enum WallClockReading: Hashable, Sendable {
  /// The clock showed it once.
  case once(Instant)
  /// The clock was set back and showed it twice (or more often; then the first two).
  case repeated(first: Instant, second: Instant)
  /// The clock was set forward past it at `change`; `moved` is as far after the change as the reading is into the gap,
  /// so that 02:30 in a gap of one hour becomes 03:30.
  case skipped(change: Instant, moved: Instant)
}

/// Which instant a repeated wall-clock time means.
package enum OverlapPolicy: Hashable, Sendable {
  case first, second
}

extension TimeZoneRules {
  /// Minutes of a day, 0…1,439.
  package static let minutesOfDay = 0...1439

  /// The local day at an instant, and the second of the day, 0…86,399.
  package func wallClock(at instant: Instant) -> (day: CivilDay, secondOfDay: Int) {
    let second = instant.wholeSeconds
    let local = second + Int64(span(at: second).offset)
    var days = local / 86_400
    var rest = local % 86_400
    if rest < 0 {
      days -= 1
      rest += 86_400
    }
    return (CivilDay(daysSinceEpoch: Int32(clamping: days)), Int(rest))
  }

  /// The local day at an instant.
  package func day(at instant: Instant) -> CivilDay {
    wallClock(at: instant).day
  }

  /// When the wall clock shows a second of a day; clamps the second to 0…86,399.
  package func reading(_ day: CivilDay, secondOfDay: Int) -> WallClockReading {
    let local = Int64(day.daysSinceEpoch) * 86_400 + Int64(min(max(secondOfDay, 0), 86_399))
    var span = span(at: local - Int64(OffsetSpan.allowedOffsets.upperBound))
    let latest = local - Int64(OffsetSpan.allowedOffsets.lowerBound)
    var first: Int64?
    var gap: (change: Int64, moved: Int64)?
    while true {
      let second = local - Int64(span.offset)
      if second >= span.start && second < span.end {
        if let first { return .repeated(first: Instant(second: first), second: Instant(second: second)) }
        first = second
      }
      guard span.end <= latest else { break }
      let next = self.span(at: span.end)
      if gap == nil && second >= span.end && local - Int64(next.offset) < span.end { gap = (span.end, second) }
      span = next
    }
    if let first { return .once(Instant(second: first)) }
    if let gap { return .skipped(change: Instant(second: gap.change), moved: Instant(second: gap.moved)) }
    return .once(Instant(second: local - Int64(span.offset)))
  }

  /// The instant of a second of a day (clamped to 0…86,399): the first of two; in a gap, as far after the gap as the
  /// reading is into it.
  package func instant(_ day: CivilDay, secondOfDay: Int) -> Instant {
    switch reading(day, secondOfDay: secondOfDay) {
    case .once(let instant): instant
    case .repeated(let first, _): first
    case .skipped(_, let moved): moved
    }
  }

  /// The first instant at which the clock shows a minute of a day (clamped to 0…1,439) or a later one; by `overlap` the
  /// second instant of two.
  package func instant(_ day: CivilDay, minuteOfDay: Int, overlap: OverlapPolicy = .first) -> Instant {
    let minute = min(max(minuteOfDay, 0), TimeZoneRules.minutesOfDay.upperBound)
    return switch reading(day, secondOfDay: minute * 60) {
    case .once(let instant): instant
    case .repeated(let first, let second): overlap == .first ? first : second
    case .skipped(let change, _): change
    }
  }

  /// The first instant of a day: its midnight, the first of two, or the end of the gap over it. A skipped day (30
  /// December 2011 in Apia) starts when the next one does.
  package func startOfDay(_ day: CivilDay) -> Instant { instant(day, minuteOfDay: 0) }
}

extension Instant {
  /// The instant of a second since the epoch; clamps at the ends of `Int64` milliseconds.
  init(second: Int64) {
    let (value, overflow) = second.multipliedReportingOverflow(by: 1000)
    self.init(milliseconds: overflow ? (second < 0 ? .min : .max) : value)
  }
}
