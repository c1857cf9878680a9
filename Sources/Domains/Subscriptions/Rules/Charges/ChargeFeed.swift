import Calendars
import DaybookProtocol

/// Charges as an iCalendar feed: the premium feature `subscriptionsExport`.
package enum ChargeFeed {
  /// Which alarms a feed has; only unpaid charges from today on have any.
  package struct Alarms: Sendable {
    let today: CivilDay
    /// Lead days of subscriptions without their own.
    let leadDays: [Int]
    let time: WallTime

    package init(today: CivilDay, leadDays: [Int], time: WallTime) {
      self.today = today
      self.leadDays = leadDays
      self.time = time
    }

    /// The alarms of a charge, in minutes from the start of its day.
    fileprivate func minutes(_ charge: PlannedCharge, of subscription: Subscription) -> [Int] {
      guard !charge.isPaid, charge.day >= today else { return [] }
      return SubscriptionGates.reminderDays(wished: subscription.reminderDays ?? leadDays, hasAccess: true)
        .sorted(by: >).map { time.minutesOfDay - $0 * 1440 }
    }
  }

  /// The feed of a range. An event keeps its identity as long as its occurrence exists, even when the charge is
  /// shifted.
  package static func feed(
    of subscriptions: [Subscription], in days: ClosedRange<CivilDay>, stamp: Instant, style: AmountStyle = .english,
    alarms: Alarms? = nil, name: String = "Subscriptions"
  ) -> CalendarFeed {
    var known: [EntityID: Subscription] = [:]
    for subscription in subscriptions { known[subscription.id] = subscription }
    let events = ChargeCalendar.charges(of: subscriptions, in: days).compactMap { charge in
      known[charge.subscription].map { event(charge, of: $0, style: style, alarms) }
    }
    return CalendarFeed(name: name, stamp: stamp, events: events)
  }

  private static func event(
    _ charge: PlannedCharge, of subscription: Subscription, style: AmountStyle, _ alarms: Alarms?
  ) -> CalendarEvent {
    var details: [String] = []
    if charge.share != .whole {
      details.append("Your part: \(style.text(Price(rounding: charge.cost, charge.price.currency)))")
    }
    if charge.isShifted { details.append("Shifted from \(charge.occurrence)") }
    if charge.isPaid { details.append("Paid") }
    if let method = subscription.paymentMethod { details.append("Paid with: \(method)") }
    let occurrence = charge.occurrence.description.filter { $0 != "-" }
    return CalendarEvent(
      uid: "\(charge.subscription)-\(occurrence)@daybook", day: charge.day,
      summary: "\(subscription.name) — \(style.text(charge.price))",
      details: details.isEmpty ? nil : details.joined(separator: "\n"), url: subscription.url,
      categories: [subscription.ownCategory ?? subscription.category.orOther.rawValue] + subscription.tagList,
      alarms: alarms?.minutes(charge, of: subscription) ?? [])
  }
}
