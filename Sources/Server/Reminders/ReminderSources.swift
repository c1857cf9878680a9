import DaybookProtocol
import Premium
import Reminders

/// The reminder on the day before the premium trial ends.
struct TrialReminders: ReminderCandidates {
  let entitlement: Entitlement?
  let time: WallTime
  let zone: TimeZoneRules

  /// The one reminder; nil without a trial.
  var id: ReminderID? {
    guard let entitlement, entitlement.isTrial, let ends = entitlement.expiresAt else { return nil }
    return try? ReminderID(
      source: .trial, item: "premium", day: zone.day(at: ends), minute: time.minutesOfDay, leadDays: 1)
  }

  func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    guard let id, let ends = entitlement?.expiresAt else { return }
    let day = zone.day(at: ends)
    body(
      ReminderCandidate(id: id, actions: ReminderSource.trial.actions) { _ in
        ReminderText(title: "Your trial ends soon", body: "Your free trial of premium ends on \(day).")
      })
  }
}

extension ReminderSource {
  /// The actions for reminders of this source, in order.
  var actions: [ReminderAction] {
    switch self {
    case .trial: [.open, .snooze]
    case .summary: [.open]
    default: [.done, .snooze, .skip, .open]
    }
  }
}
