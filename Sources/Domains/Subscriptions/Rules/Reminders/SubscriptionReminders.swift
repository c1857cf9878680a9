import CivilTime
import DaybookProtocol
import Reminders
import Values

/// What subscriptions would like to remind of: charges, trials that end, the last day to give notice or to cancel, budgets.
///
/// Ids name the subscription and what it is about: `subscriptions:<id>:2026-05-10:0900-3d` for a charge, `<id>.trial`, `<id>.notice` and
/// `<id>.cancel` in its place for the others, `budget.<id>` for a budget. As all dates follow from the day, a charge that has
/// passed makes room for the next one without anything being written.
package struct SubscriptionReminders: ReminderCandidates {
  /// All subscriptions; those that are over give nothing.
  package let subscriptions: [Subscription]
  /// Budgets.
  package let budgets: [Budget]
  /// The days before, as the settings have them, for subscriptions without days of their own.
  package let leadDays: [Int]
  /// The time of day.
  package let time: WallTime
  /// The zone by whose clock the day is told.
  package let zone: TimeZoneRules
  /// Whether days other than the one before may be chosen.
  package let hasAccess: Bool
  /// How amounts are written.
  package let style: AmountStyle
  /// For budgets, where charges are in several currencies.
  package let rates: RateTable?

  /// The time of day when nothing was said: 09:00.
  package static let usualTime = WallTime(hour: 9, minute: 0) ?? .midnight

  package init(
    _ subscriptions: [Subscription], budgets: [Budget] = [], leadDays: [Int], time: WallTime = usualTime,
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

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A time put off may belong to yesterday.
    let first = zone.day(at: start).advanced(by: -1)
    guard first <= end else { return }
    for subscription in subscriptions {
      let leads = SubscriptionGates.reminderDays(wished: subscription.reminderDays ?? leadDays, hasAccess: hasAccess)
      guard let longest = leads.max() else { continue }
      // What is reminded of within the window lies in it, or behind it by the longest lead.
      let days = first...end.advanced(by: longest)
      visitCharges(of: subscription, in: days, leads, first...end, body)
      visitTrial(of: subscription, in: days, leads, first...end, body)
      visitNotice(of: subscription, in: days, leads, first...end, body)
      visitCancelling(of: subscription, in: days, leads, first...end, body)
    }
    for budget in budgets { visit(budget, first...end, body) }
  }

  private func visitCharges(
    of subscription: Subscription, in days: ClosedRange<CivilDay>, _ leads: [Int], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void
  ) {
    subscription.visitCharges(in: days) { charge in
      // The end of a trial tells of the charge on that day.
      guard !charge.isPaid, charge.day != subscription.trialEnd else { return }
      let verb = subscription.term(on: charge.occurrence).cycle.isRecurring ? "renews" : "is charged"
      let style = style
      give(subscription.id.description, on: charge.day, leads, window, body) { [name = subscription.name] today in
        let part = style.text(Price(rounding: charge.cost, charge.price.currency))
        return ReminderText(
          title: "Upcoming charge",
          body: "\(name) — \(style.text(charge.price)) \(verb) \(SubscriptionReminders.when(charge.day, today))"
            + (charge.share == .whole ? "." : "; your part is \(part)."))
      }
    }
  }

  /// The end of a trial that is followed by charges.
  private func visitTrial(
    of subscription: Subscription, in days: ClosedRange<CivilDay>, _ leads: [Int], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void
  ) {
    guard let trialEnd = subscription.trialEnd, days.contains(trialEnd), subscription.status(on: trialEnd) == .active,
      let charge = subscription.nextCharge(today: trialEnd)
    else { return }
    let style = style
    give("\(subscription.id).trial", on: trialEnd, leads, window, body) { [name = subscription.name] today in
      ReminderText(
        title: "Trial ends",
        body: "The free trial of \(name) ends \(SubscriptionReminders.when(trialEnd, today)); "
          + "\(style.text(charge.price)) is charged on \(charge.day).")
    }
  }

  /// The last day to give notice, unless notice was given.
  private func visitNotice(
    of subscription: Subscription, in days: ClosedRange<CivilDay>, _ leads: [Int], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void
  ) {
    guard let contract = subscription.contract, subscription.end == nil else { return }
    var from = days.lowerBound
    while let (day, end) = contract.deadline(onOrAfter: from), day <= days.upperBound {
      give("\(subscription.id).notice", on: day, leads, window, body) { [name = subscription.name] today in
        ReminderText(
          title: "Notice period ends",
          body: "The last day to cancel \(name) for the end of \(end) is \(SubscriptionReminders.when(day, today)).")
      }
      from = day.advanced(by: 1)
    }
  }

  /// The day up to which the user means to cancel, unless that is done.
  private func visitCancelling(
    of subscription: Subscription, in days: ClosedRange<CivilDay>, _ leads: [Int], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void
  ) {
    guard let day = subscription.cancelBy, subscription.end == nil, days.contains(day) else { return }
    give("\(subscription.id).cancel", on: day, leads, window, body) { [name = subscription.name] today in
      ReminderText(
        title: "Cancel in time", body: "You mean to cancel \(name): the day for it is \(Self.when(day, today)).")
    }
  }

  /// The day before the charge that brings a budget over its limit.
  private func visit(_ budget: Budget, _ window: ClosedRange<CivilDay>, _ body: (ReminderCandidate) -> Void) {
    var day = window.lowerBound
    // A year of weeks, and then enough.
    for _ in 0..<53 where day <= window.upperBound.advanced(by: 1) && day <= CivilDay.allowed.upperBound {
      guard let days = budget.days(around: day) else { return }
      let sum = BudgetSum(budget.limit, subscriptions, days: days, today: day, rates: rates)
      day = days.upperBound.advanced(by: 1)
      guard let charge = sum.crossing, !charge.isPaid else { continue }
      let over = Price(rounding: sum.total - ExactAmount(budget.amount), budget.limit.currency)
      let style = style
      let name = subscriptions.first { $0.id == charge.subscription }?.name ?? ""
      give("budget.\(budget.id)", on: charge.day, [1], window, body) { today in
        ReminderText(
          title: "Over budget",
          body: "\(name) goes beyond your budget \(SubscriptionReminders.when(charge.day, today)): "
            + "\(style.text(over)) over \(style.text(budget.limit)) up to \(days.upperBound).")
      }
    }
  }

  /// Gives a candidate for each day before that lies in the window.
  private func give(
    _ item: String, on day: CivilDay, _ leads: [Int], _ window: ClosedRange<CivilDay>,
    _ body: (ReminderCandidate) -> Void, text: @escaping @Sendable (CivilDay) -> ReminderText
  ) {
    for lead in leads where window.contains(day.advanced(by: -lead)) {
      guard
        let id = try? ReminderID(
          source: .subscriptions, item: item, day: day, minute: time.minutesOfDay, leadDays: lead)
      else { continue }
      body(ReminderCandidate(id: id, lastDay: day, actions: [.done, .snooze, .skip, .open], text: text))
    }
  }

  /// When a day is, seen from another: `in 1 day`, `in 3 days`; where quiet hours or a person put the reminder off, `today`, and
  /// once it is past `on 2026-05-10`.
  private static func when(_ day: CivilDay, _ today: CivilDay) -> String {
    let days = Int(day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    return days < 0 ? "on \(day)" : days == 0 ? "today" : days == 1 ? "in 1 day" : "in \(days) days"
  }
}
