import DomainKit
import Reminders

/// What a plan of reminders is made of, except the time. Equal ones give the same plan until its next reminder.
struct PlanBasis: Equatable {
  let days: DayContext
  let sources: [RememberedCandidates]
  let trial: TrialReminders
  let settings: ReminderSettings
  let state: ReminderState
  /// How many reminders the client can hold.
  let limit: Int

  var inputs: ReminderInputs {
    let candidates: [any ReminderCandidates] = [trial] + sources
    return ReminderInputs(
      candidates: JoinedReminderCandidates(candidates), zone: days.zone, dayStart: days.dayStart,
      settings: settings, state: state)
  }

  static func == (left: PlanBasis, right: PlanBasis) -> Bool {
    left.days === right.days && left.sources.elementsEqual(right.sources, by: ===) && left.trial.id == right.trial.id
      && left.settings == right.settings && left.state == right.state && left.limit == right.limit
  }
}
