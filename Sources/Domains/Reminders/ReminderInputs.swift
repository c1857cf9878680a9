import DaybookProtocol

/// Everything a plan is computed from, except the time.
package struct ReminderInputs: Sendable {
  /// The candidates of all domains.
  package var candidates: any ReminderCandidates
  /// The user's zone: of wall-clock times without a zone of their own, and of quiet hours.
  package var zone: TimeZoneRules
  /// The start of the user's day: a reminder before it belongs to the day that is still running.
  package var dayStart: DayStart
  package var settings: ReminderSettings
  package var state: ReminderState

  package init(
    candidates: any ReminderCandidates, zone: TimeZoneRules, dayStart: DayStart = .midnight,
    settings: ReminderSettings = ReminderSettings(), state: ReminderState = ReminderState()
  ) {
    self.candidates = candidates
    self.zone = zone
    self.dayStart = dayStart
    self.settings = settings
    self.state = state
  }

  /// The user's day at an instant.
  package func day(at instant: Instant) -> CivilDay { dayStart.day(at: instant, in: zone) }

  /// How far quiet hours can move a candidate: a day, plus the longest clock change.
  static let reach: Int64 = 2 * 86_400_000

  /// Every candidate that fires at or after `start`, once each, with its fire time: neither handled nor disabled. The
  /// caller filters out those already given.
  func scheduled(from start: Instant, through end: CivilDay) -> Set<ScheduledReminder> {
    guard settings.isEnabled else { return [] }
    var earliest = start.advanced(by: -ReminderInputs.reach)
    // A snooze that ended before then cannot fire any more.
    if let day = state.snoozes.lazy.filter({ $0.value >= earliest }).map(\.key.fireDay).min() {
      earliest = min(earliest, zone.startOfDay(day).advanced(by: -ReminderInputs.reach))
    }
    var clock = WallClockCache(zone: zone)
    var found: Set<ScheduledReminder> = []
    candidates.visit(from: earliest, through: end) { candidate in
      let id = candidate.id
      guard id.fireDay <= end, !settings.disabledSources.contains(id.source), state.handled[id] == nil,
        let scheduled = schedule(candidate, &clock), scheduled.fireAt >= start
      else { return }
      let (isNew, other) = found.insert(scheduled)
      if !isNew, scheduled.isPreferred(to: other) { found.update(with: scheduled) }
    }
    return found
  }

  /// The fire time of a candidate: its wall-clock time or its snooze, moved out of quiet hours, if need be to the next
  /// day. Nil for one whose day is over and which neither a snooze nor quiet hours hold.
  private func schedule(_ candidate: ReminderCandidate, _ clock: inout WallClockCache) -> ScheduledReminder? {
    let id = candidate.id
    let day = dayStart.calendarDay(of: id.fireDay, minuteOfDay: id.minute)
    let base =
      candidate.zone?.instant(day, minuteOfDay: id.minute) ?? clock.instant(day, minuteOfDay: id.minute)
    let snooze = state.snoozes[id]
    let wanted = snooze ?? base
    let fireAt = settings.quietHours?.firstAllowed(from: wanted, in: zone) ?? wanted
    if candidate.isOver, snooze == nil, fireAt == wanted { return nil }
    return ScheduledReminder(
      candidate: candidate, base: base, fireAt: fireAt, isSnoozed: snooze != nil, isMoved: fireAt != wanted)
  }
}

/// Caches instants of wall-clock times in one zone, as many candidates share a day and a time.
struct WallClockCache {
  let zone: TimeZoneRules
  private var instants: [Int: Instant] = [:]

  init(zone: TimeZoneRules) { self.zone = zone }

  /// The first instant at which the clock shows that minute of the day, or a later one.
  mutating func instant(_ day: CivilDay, minuteOfDay: Int) -> Instant {
    let key = Int(day.daysSinceEpoch) * 1440 + minuteOfDay
    if let instant = instants[key] { return instant }
    let instant = zone.instant(day, minuteOfDay: minuteOfDay)
    instants[key] = instant
    return instant
  }
}

/// The user's settings for all reminders.
package struct ReminderSettings: Hashable, Sendable {
  package var isEnabled: Bool
  /// Reminders in these hours come when they end.
  package var quietHours: QuietHours?
  package var disabledSources: Set<ReminderSource>

  package init(isEnabled: Bool = true, quietHours: QuietHours? = nil, disabledSources: Set<ReminderSource> = []) {
    self.isEnabled = isEnabled
    self.quietHours = quietHours
    self.disabledSources = disabledSources
  }
}
