import DaybookProtocol
import Reminders

/// Reminder candidates of subscriptions: charges, ends of trials, deadlines to give notice or cancel, budgets.
///
/// Ids name the subscription and the subject: `subscriptions:<id>:2026-05-10:0900-3d` for a charge; `<id>.trial`,
/// `<id>.notice` and `<id>.cancel` instead of `<id>` for the others; `budget.<id>` for a budget. Days are derived, so
/// that a past charge yields to the next one without a write.
package struct SubscriptionReminders: ReminderCandidates {
  package let subscriptions: [Subscription]
  package let budgets: [Budget]
  /// Lead days of subscriptions without their own.
  package let leadDays: [Int]
  package let time: WallTime
  package let zone: TimeZoneRules
  /// Whether other lead days than 1 are allowed.
  package let hasAccess: Bool
  package let style: AmountStyle
  /// For budgets with charges in several currencies.
  package let rates: RateTable?

  package init(
    _ subscriptions: [Subscription], budgets: [Budget] = [], leadDays: [Int], time: WallTime,
    zone: TimeZoneRules, hasAccess: Bool, style: AmountStyle = .english, rates: RateTable? = nil
  ) {
    self.subscriptions = subscriptions
    self.budgets = budgets
    self.leadDays = leadDays
    self.time = time
    self.zone = zone
    self.hasAccess = hasAccess
    self.style = style
    self.rates = rates
  }

  /// The text of a reminder, which depends on the day it is shown.
  private typealias Text = @Sendable (CivilDay) -> ReminderText
  /// Emits the reminders of an item for a day.
  private typealias Emit = (_ item: String, _ day: CivilDay, _ text: @escaping Text) -> Void

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A snoozed reminder may belong to yesterday.
    let first = zone.day(at: start).advanced(by: -1)
    guard first <= end else { return }
    for subscription in subscriptions {
      let leads = SubscriptionGates.reminderDays(wished: subscription.reminderDays ?? leadDays, hasAccess: hasAccess)
      guard let longest = leads.max() else { continue }
      // Reminders in the window are for days up to the longest lead after it.
      let days = first...end.advanced(by: longest)
      func emit(_ item: String, _ day: CivilDay, _ text: @escaping Text) {
        self.emit(item, on: day, leads, first...end, body, text: text)
      }
      visitCharges(of: subscription, in: days, emit)
      visitTrial(of: subscription, in: days, emit)
      visitNotice(of: subscription, in: days, emit)
      visitCancelling(of: subscription, in: days, emit)
    }
    for budget in budgets { visit(budget, first...end, body) }
  }

  private func visitCharges(of subscription: Subscription, in days: ClosedRange<CivilDay>, _ emit: Emit) {
    subscription.visitCharges(in: days) { charge in
      // The trial's own reminder covers its first charge.
      guard !charge.isPaid, charge.day != subscription.trialEnd else { return }
      let verb = subscription.term(on: charge.occurrence).cycle.isRecurring ? "renews" : "is charged"
      let style = style
      emit(subscription.id.description, charge.day) { [name = subscription.name] today in
        let part = style.text(Price(rounding: charge.cost, charge.price.currency))
        return ReminderText(
          title: "Upcoming charge",
          body: "\(name) — \(style.text(charge.price)) \(verb) \(SubscriptionReminders.when(charge.day, today))"
            + (charge.share == .whole ? "." : "; your part is \(part)."))
      }
    }
  }

  /// The end of a trial that charges follow.
  private func visitTrial(of subscription: Subscription, in days: ClosedRange<CivilDay>, _ emit: Emit) {
    guard let trialEnd = subscription.trialEnd, days.contains(trialEnd), subscription.status(on: trialEnd) == .active,
      // A weekend may move the first charge to before the trial's end.
      let charge = subscription.nextCharge(today: trialEnd.advanced(by: -WeekendRule.reach))
    else { return }
    let style = style
    emit("\(subscription.id).trial", trialEnd) { [name = subscription.name] today in
      ReminderText(
        title: "Trial ends",
        body: "The free trial of \(name) ends \(SubscriptionReminders.when(trialEnd, today)); "
          + "\(style.text(charge.price)) is charged on \(charge.day).")
    }
  }

  /// The deadlines for notice, unless notice was given.
  private func visitNotice(of subscription: Subscription, in days: ClosedRange<CivilDay>, _ emit: Emit) {
    guard let contract = subscription.contract, subscription.end == nil else { return }
    var from = days.lowerBound
    while let (day, end) = contract.deadline(onOrAfter: from), day <= days.upperBound {
      emit("\(subscription.id).notice", day) { [name = subscription.name] today in
        ReminderText(
          title: "Notice period ends",
          body: "The last day to cancel \(name) for the end of \(end) is \(SubscriptionReminders.when(day, today)).")
      }
      from = day.advanced(by: 1)
    }
  }

  /// The day by which the user means to cancel, unless it is cancelled.
  private func visitCancelling(of subscription: Subscription, in days: ClosedRange<CivilDay>, _ emit: Emit) {
    guard let day = subscription.cancelBy, subscription.end == nil, days.contains(day) else { return }
    emit("\(subscription.id).cancel", day) { [name = subscription.name] today in
      ReminderText(
        title: "Cancel in time", body: "You plan to cancel \(name); the deadline is \(Self.when(day, today)).")
    }
  }

  /// The day before the charge that exceeds a budget.
  private func visit(_ budget: Budget, _ window: ClosedRange<CivilDay>, _ body: (ReminderCandidate) -> Void) {
    var day = window.lowerBound
    // A year of weekly periods.
    for _ in 0..<53 where day <= window.upperBound.advanced(by: 1) && day <= CivilDay.allowed.upperBound {
      guard let days = budget.days(around: day) else { return }
      let sum = BudgetSum(budget.limit, subscriptions, days: days, today: day, rates: rates)
      day = days.upperBound.advanced(by: 1)
      guard let charge = sum.crossing, !charge.isPaid else { continue }
      let over = Price(rounding: sum.total - ExactAmount(budget.amount), budget.limit.currency)
      let style = style
      let name = subscriptions.first { $0.id == charge.subscription }?.name ?? ""
      emit("budget.\(budget.id)", on: charge.day, [1], window, body) { today in
        ReminderText(
          title: "Over budget",
          body: "\(name) exceeds your budget \(SubscriptionReminders.when(charge.day, today)): "
            + "\(style.text(over)) over \(style.text(budget.limit)) up to \(days.upperBound).")
      }
    }
  }

  /// Emits a candidate for each lead day in the window.
  private func emit(
    _ item: String, on day: CivilDay, _ leads: [Int], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void, text: @escaping Text
  ) {
    for lead in leads where window.contains(day.advanced(by: -lead)) {
      guard
        let id = try? ReminderID(
          source: .subscriptions, item: item, day: day, minute: time.minutesOfDay, leadDays: lead)
      else { continue }
      body(ReminderCandidate(id: id, lastDay: day, actions: [.done, .snooze, .skip, .open], text: text))
    }
  }

  /// A day relative to another: `in 1 day`, `in 3 days`; for a snoozed reminder `today`, or `on 2026-05-10` once it has
  /// passed.
  private static func when(_ day: CivilDay, _ today: CivilDay) -> String {
    let days = Int(day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    return days < 0 ? "on \(day)" : days == 0 ? "today" : days == 1 ? "in 1 day" : "in \(days) days"
  }
}
