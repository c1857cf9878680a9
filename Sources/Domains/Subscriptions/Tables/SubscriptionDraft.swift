import DaybookProtocol
import Subscriptions

struct RowDays {
  var nextCharge: CivilDay?
  var start: CivilDay?
  var anchor: CivilDay?
  var trialEnd: CivilDay?
  var end: CivilDay?

  /// Completes the days of a row and sets those of a new subscription, whose cycle is known. `status` is the
  /// status that the row states.
  ///
  /// Without a start, the subscription starts today, or on a stated day in the past, so that no earlier charge is
  /// invented, nor one between today and the stated next charge. A subscription that ended on an unknown day ends
  /// before the stated next charge.
  func apply(to subscription: inout Subscription, _ status: SubscriptionStatus?, today: CivilDay) {
    let named = anchor ?? nextCharge
    subscription.anchor = named ?? start ?? today
    subscription.start = start ?? min(named ?? today, today)
    (subscription.trialEnd, subscription.end) = (trialEnd, end)
    // The start may tell the day of the month that a clamped date has lost: the 31st for 28 February.
    if anchor == nil, let start, let named, Schedule(anchor: start, cycle: subscription.cycle).contains(named) {
      subscription.anchor = start
    }
    let since = min(nextCharge ?? today, today)
    switch status {
    case .cancelled where end == nil:
      subscription.end = max(since, start ?? since)
      subscription.start = start ?? min(subscription.start, since)
    case .paused: subscription.pauses = [SubscriptionPause(from: max(since, subscription.start))]
    case .trial where trialEnd == nil:
      if let nextCharge, nextCharge > subscription.start { subscription.trialEnd = nextCharge }
    case .active, nil:
      let schedule = Schedule(anchor: subscription.anchor, cycle: subscription.cycle)
      guard start == nil, let nextCharge,
        let inferred = InferredStart(nextCharge: nextCharge, schedule, today: today)
      else { break }
      subscription.marks = inferred.marks
      guard inferred.start > today, [trialEnd, end].allSatisfy({ $0.map { inferred.start < $0 } ?? true }) else {
        break
      }
      subscription.start = inferred.start
    default: break
    }
  }
}

extension Subscription {
  /// The subscription with the cycle of `today` for good, as a row states it with the price of that day.
  func withoutPlannedCycle(today: CivilDay) -> Subscription {
    guard let last = formerTermList.last, today < last.until else { return self }
    var told = self
    let term = self.term(on: today)
    (told.cycle, told.anchor) = (term.cycle, term.anchor)
    told.formerTermList.removeAll { today < $0.until }
    guard !term.cycle.isRecurring else { return told }
    // A single charge that a planned cycle replaces before its day makes no readable row: keep the planned cycle.
    var row = told
    row.formerTerms = nil
    row.marks = nil
    return SubscriptionRules.refusals(of: row).isEmpty ? told : self
  }
}

/// A member of a subscription that a row covers; other members are left alone. Every row covers name and price. The raw
/// value is the name of the field.
package enum CoveredMember: String, CaseIterable, Sendable {
  case category, start, trialEnd, end, share, paymentMethod, tags, note, url, usage, reminderDays
  case ownCategory, paidBy, household, cancelBy, replacedById
  case cycle
  case contract = "contractEnd"
  /// The exact anchor.
  case anchor
  /// A day of the cycle, from which an anchor follows.
  case nextCharge
  /// The status, without the days that it follows from.
  case status
  /// Whole histories.
  case prices, shares, pauses
  case terms = "cycles"
  case marks = "charges"

  /// The fields any of which covers the member.
  var fields: [String] { self == .cycle ? ["unit", "cycle", "rule"] : [rawValue] }

  /// Whether an empty cell of our own table leaves the value alone instead of removing it.
  var ignoresEmptyCell: Bool {
    switch self {
    case .anchor, .nextCharge, .start, .prices, .terms, .pauses, .marks, .shares: true
    default: false
    }
  }
}

/// A subscription as a row states it.
package struct SubscriptionDraft: Sendable, Equatable {
  /// The subscription that the row would add, without id and timestamps.
  package var subscription: Subscription
  /// The price of a cycle today.
  package var price: Price
  /// The user's share today.
  package var share: PayerShare
  package var covered: Set<CoveredMember>
  /// The status that the row states, unless it follows from days.
  package var status: SubscriptionStatus?

  /// The folded name, price and cycle, by which a row matches a stored subscription.
  package struct Likeness: Hashable, Sendable {
    let name: String
    let price: Price
    let cycle: String
  }
}

extension TableSubscription {
  package init(_ draft: SubscriptionDraft, today: CivilDay) {
    let row = draft.subscription
    self.init(
      name: row.name, price: Money(draft.price),
      prices: row.prices.count > 1 || row.prices.contains { $0.range != nil } ? row.prices : nil, cycle: row.cycle,
      category: row.category, status: row.status(on: today), anchor: row.anchor, start: row.start,
      trialEnd: row.trialEnd, end: row.end, pauses: row.pauses, formerTerms: row.formerTerms, contract: row.contract,
      share: draft.share.unlessWhole, shares: row.shareList.count > 1 ? row.shareList : nil,
      paymentMethod: row.paymentMethod, tags: row.tags, note: row.note, url: row.url, usage: row.usage,
      reminderDays: row.reminderDays, ownCategory: row.ownCategory, paidBy: row.paidBy, household: row.household,
      cancelBy: row.cancelBy, replacedById: row.replacedById, marks: row.marks)
  }
}
