import DaybookProtocol
import Reminders

/// Reminder candidates of subscriptions: charges, ends of trials, deadlines to give notice or cancel, budgets.
///
/// Ids name the subscription and the subject: `subscriptions:<id>:2026-05-10:0900-3d` for a charge; `<id>.trial`,
/// `<id>.notice` and `<id>.cancel` instead of `<id>` for the others; `budget.<id>` for a budget. Days are derived, so
/// that a past charge yields to the next one without a write.
package struct SubscriptionReminders: ReminderCandidates {
  package private(set) var subscriptions: [Subscription]
  package private(set) var budgets: [Budget]
  /// Lead days of subscriptions without their own.
  package let leadDays: [Int]
  package let time: WallTime
  package let zone: TimeZoneRules
  /// Whether other lead days than 1 are allowed.
  package let hasAccess: Bool
  package let style: AmountStyle
  /// For budgets with charges in several currencies.
  package let rates: RateTable?
  /// Whether paid charges remind too.
  private var includesPaid = false

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
    visit(first...end, body)
  }

  /// Whether a reminder is one of these, paid or not.
  package func gives(_ id: ReminderID) -> Bool {
    guard id.source == .subscriptions, CivilDay.allowed.contains(id.fireDay) else { return false }
    var own = self
    own.includesPaid = true
    if id.item.hasPrefix(SubscriptionReminders.budget) {
      own.budgets = budgets.filter { id.item == SubscriptionReminders.item($0) }
      guard !own.budgets.isEmpty else { return false }
    } else {
      own.budgets = []
      own.subscriptions = subscriptions.filter { id.item.hasPrefix($0.id.description) }
    }
    var isFound = false
    own.visit(id.fireDay...id.fireDay) { isFound = isFound || $0.id == id }
    return isFound
  }

  private func visit(_ window: ClosedRange<CivilDay>, _ body: (ReminderCandidate) -> Void) {
    for subscription in subscriptions {
      let leads = SubscriptionGates.reminderDays(wished: subscription.reminderDays ?? leadDays, hasAccess: hasAccess)
      guard let longest = leads.max() else { continue }
      // Reminders in the window are for days up to the longest lead after it.
      let days = window.lowerBound...window.upperBound.advanced(by: longest)
      func emit(_ item: String, _ day: CivilDay, _ text: @escaping Text) {
        self.emit(item, on: day, leads, window, body, text: text)
      }
      visitCharges(of: subscription, in: days, emit)
      visitTrial(of: subscription, in: days, emit)
      visitNotice(of: subscription, in: days, emit)
      visitCancelling(of: subscription, in: days, emit)
    }
    visitBudgets(in: window, body)
  }

  private func visitCharges(of subscription: Subscription, in days: ClosedRange<CivilDay>, _ emit: Emit) {
    subscription.visitCharges(in: days) { charge in
      // The trial's own reminder covers its first charge.
      guard !charge.isPaid || includesPaid, charge.day != subscription.trialEnd else { return }
      let verb = subscription.term(on: charge.occurrence).cycle.isRecurring ? "renews" : "is charged"
      let style = style
      emit(subscription.id.description, charge.day) { [name = subscription.name] today in
        let part = style.text(Price(rounding: charge.cost, charge.price.currency))
        return ReminderText(
          title: "Upcoming charge",
          body: "\(name) — \(style.text(charge.price)) \(verb) \(SubscriptionReminders.when(charge.day, today))"
            + (charge.share == .whole ? "." : "; your part is \(part)."), subject: name)
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
          + "\(style.text(charge.price)) is charged on \(charge.day).", subject: name)
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
          body: "The last day to cancel \(name) for the end of \(end) is \(SubscriptionReminders.when(day, today)).",
          subject: name)
      }
      from = day.advanced(by: 1)
    }
  }

  /// The day by which the user means to cancel, unless it is cancelled.
  private func visitCancelling(of subscription: Subscription, in days: ClosedRange<CivilDay>, _ emit: Emit) {
    guard let day = subscription.cancelBy, subscription.end == nil, days.contains(day) else { return }
    emit("\(subscription.id).cancel", day) { [name = subscription.name] today in
      ReminderText(
        title: "Cancel in time", body: "You plan to cancel \(name); the deadline is \(Self.when(day, today)).",
        subject: name)
    }
  }

  /// The day before the charge that exceeds a budget, for each budget. The charges are found once for all of them.
  private func visitBudgets(in window: ClosedRange<CivilDay>, _ body: (ReminderCandidate) -> Void) {
    let periods = budgets.map { ($0, SubscriptionReminders.periods(of: $0, in: window)) }
    guard let first = periods.compactMap(\.1.first?.lowerBound).min(),
      let last = periods.compactMap(\.1.last?.upperBound).max()
    else { return }
    let charges = ChargeCalendar.charges(of: subscriptions, in: first...last)
    for (budget, periods) in periods {
      for days in periods { visit(budget, days, charges, window, body) }
    }
  }

  /// The periods of a budget with charges to remind of in a range of days; at most a year of weeks.
  private static func periods(of budget: Budget, in window: ClosedRange<CivilDay>) -> [ClosedRange<CivilDay>] {
    var periods: [ClosedRange<CivilDay>] = []
    var day = window.lowerBound
    while periods.count < 53, day <= window.upperBound.advanced(by: 1), day <= CivilDay.allowed.upperBound,
      let days = budget.days(around: day)
    {
      periods.append(days)
      day = days.upperBound.advanced(by: 1)
    }
    return periods
  }

  private func visit(
    _ budget: Budget, _ days: ClosedRange<CivilDay>, _ charges: [PlannedCharge], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void
  ) {
    let sum = BudgetSum(budget.limit, charges.within(days), days: days, today: days.lowerBound, rates: rates)
    guard let charge = sum.crossing, !charge.isPaid || includesPaid else { return }
    let over = Price(rounding: sum.total - ExactAmount(budget.amount), budget.limit.currency)
    let style = style
    let name = subscriptions.first { $0.id == charge.subscription }?.name ?? ""
    emit(SubscriptionReminders.item(budget), on: charge.day, [1], window, body) { today in
      ReminderText(
        title: "Over budget",
        body: "\(name) exceeds your budget \(SubscriptionReminders.when(charge.day, today)): "
          + "\(style.text(over)) over \(style.text(budget.limit)) up to \(days.upperBound).", subject: name)
    }
  }

  private static let budget = "budget."

  private static func item(_ budget: Budget) -> String { SubscriptionReminders.budget + budget.id.description }

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
      body(ReminderCandidate(id: id, actions: [.done, .snooze, .skip, .open], text: text))
    }
  }

  /// A day relative to another: `in 1 day`, `in 3 days`; for a snoozed reminder `today`, or `on 2026-05-10` once it has
  /// passed.
  private static func when(_ day: CivilDay, _ today: CivilDay) -> String {
    let days = Int(day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    return days < 0 ? "on \(day)" : days == 0 ? "today" : days == 1 ? "in 1 day" : "in \(days) days"
  }
}
