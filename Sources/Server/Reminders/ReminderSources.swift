import DaybookProtocol
import Premium
import Reminders

/// The reminder on the day before the premium trial ends.
struct TrialReminders: ReminderCandidates {
  let entitlement: Entitlement?
  let time: WallTime
  let zone: TimeZoneRules

  func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    guard let entitlement, entitlement.isTrial, let ends = entitlement.expiresAt else { return }
    let day = zone.day(at: ends)
    guard let id = try? ReminderID(source: .trial, item: "premium", day: day, minute: time.minutesOfDay, leadDays: 1)
    else { return }
    body(
      ReminderCandidate(id: id, lastDay: day, actions: ReminderSource.trial.actions) { _ in
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
