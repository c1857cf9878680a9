import CivilTime
import DaybookProtocol
import Premium
import Reminders

/// Reminders of logging meals: at each time the user wants, every day.
struct MealReminders: ReminderCandidates {
  let times: [WallTime]
  let zone: TimeZoneRules

  func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A time put off may belong to yesterday.
    var day = zone.day(at: start).advanced(by: -1)
    while day <= end {
      for time in times {
        guard
          let id = try? ReminderID(
            source: .meals, item: "log", day: day, minute: time.minutesOfDay)
        else { continue }
        body(
          ReminderCandidate(id: id, lastDay: day.advanced(by: 1), actions: ReminderSource.meals.actions) { _ in
            ReminderText(title: "Log your meals", body: "What did you eat?")
          })
      }
      day = day.advanced(by: 1)
    }
  }
}

/// A reminder of the end of the premium trial, the day before.
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
  /// What can be done with reminders of this source, in order.
  var actions: [ReminderAction] {
    switch self {
    case .trial: [.open, .snooze]
    case .summary: [.open]
    default: [.done, .snooze, .skip, .open]
    }
  }
}
