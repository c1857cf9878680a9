import CivilTime
import DaybookProtocol

/// All that a plan is made of, but for the time.
package struct ReminderInputs: Sendable {
  /// What the domains would like to say.
  package var candidates: any ReminderCandidates
  /// The zone by whose clock a person lives: of wall times without a zone of their own, and of the quiet hours.
  package var zone: TimeZoneRules
  /// When a day of hers begins: of the last day of a reminder, and of the day on which missed ones are caught up.
  package var dayStart: DayStart
  /// What a person decided about reminders as a whole.
  package var settings: ReminderSettings
  /// What happened to reminders so far.
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

  /// The day that a person lives in at an instant.
  func day(at instant: Instant) -> CivilDay { dayStart.day(at: instant, in: zone) }

  /// How long before an instant a candidate may lie by its own wall time that quiet hours move behind it: a day with its
  /// longest change of the clock.
  static let reach: Int64 = 2 * 86_400_000

  /// Every candidate that can still matter from `start` on, once each, with when it comes: neither handled nor disabled, and
  /// not moved past its last day. Those that were given are left to the caller.
  func scheduled(from start: Instant, through end: CivilDay) -> Set<ScheduledReminder> {
    guard settings.isEnabled else { return [] }
    var earliest = start.advanced(by: -ReminderInputs.reach)
    if let day = state.snoozes.keys.lazy.map(\.fireDay).min() {
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

  /// When a candidate comes: by its wall clock or its snooze, but not in quiet hours. Nil when those would move it past its
  /// last day. A snooze is a person's own wish and may pass that day, as long as quiet hours do not move it.
  private func schedule(_ candidate: ReminderCandidate, _ clock: inout WallClockCache) -> ScheduledReminder? {
    let id = candidate.id
    let base =
      candidate.zone?.instant(id.fireDay, minuteOfDay: id.minute) ?? clock.instant(id.fireDay, minuteOfDay: id.minute)
    let snooze = state.snoozes[id]
    let wanted = snooze ?? base
    let fireAt = settings.quietHours?.firstAllowed(from: wanted, in: zone) ?? wanted
    if fireAt != wanted, let lastDay = candidate.lastDay, day(at: fireAt) > lastDay { return nil }
    return ScheduledReminder(
      candidate: candidate, base: base, fireAt: fireAt, isSnoozed: snooze != nil, isMoved: fireAt != wanted)
  }
}
