import CivilTime
import DaybookProtocol
import Subscriptions

/// The days that a row says.
struct RowDays {
  var nextCharge: CivilDay?
  var start: CivilDay?
  var anchor: CivilDay?
  var trialEnd: CivilDay?
  var end: CivilDay?

  /// What a new subscription is to have of days.
  struct Plan {
    var anchor: CivilDay
    var start: CivilDay
    var trialEnd: CivilDay?
    var end: CivilDay?
    var pauses: [SubscriptionPause] = []
    var marks: [ChargeMark] = []
  }

  /// What follows from the days that are said for those that are not. `status` is what the row says beside them.
  ///
  /// Without a beginning it has begun today, or on the day that is named when that is past, so that it counts from now on and no
  /// charge before is made up; nor is one made up between today and the charge that is named as the next. Of what is over since nobody knows when, the charge that is named as the next did not come.
  func plan(_ cycle: BillingCycle, _ status: SubscriptionStatus?, today: CivilDay) -> Plan {
    let named = anchor ?? nextCharge
    var plan = Plan(
      anchor: named ?? start ?? today, start: start ?? min(named ?? today, today), trialEnd: trialEnd, end: end)
    // The first day knows more of a month than a clamped one: the 31st behind a 28 February.
    if anchor == nil, let start, let named, Schedule(anchor: start, cycle: cycle).contains(named) {
      plan.anchor = start
    }
    let since = min(nextCharge ?? today, today)
    switch status {
    case .cancelled where end == nil:
      plan.end = max(since, start ?? since)
      plan.start = start ?? min(plan.start, since)
    case .paused: plan.pauses = [SubscriptionPause(from: max(since, plan.start))]
    case .trial where trialEnd == nil:
      if let nextCharge, nextCharge > plan.start { plan.trialEnd = nextCharge }
    case .active, nil:
      let schedule = Schedule(anchor: plan.anchor, cycle: cycle)
      guard start == nil, let nextCharge,
        let beginning = KnownBeginning(nextCharge: nextCharge, schedule, today: today)
      else { break }
      plan.marks = beginning.marks
      guard beginning.start > today, [trialEnd, end].allSatisfy({ $0.map { beginning.start < $0 } ?? true }) else {
        break
      }
      plan.start = beginning.start
    default: break
    }
    return plan
  }
}
