import CivilTime
import DaybookProtocol
import Subscriptions
import Values

/// A member of a subscription that a row speaks of: what it says nothing of is no difference. Name and price it always has.
package enum CoveredMember: Sendable {
  case cycle, category, start, trialEnd, end, contract, share, paymentMethod, tags, note, url, usage, reminderDays
  /// The very anchor, not only a day counted from it.
  case anchor
  /// A day of the cycle.
  case nextCharge
  case ownCategory, paidBy, household, cancelBy, replacedById
  /// Whether it goes on, is interrupted or over, without a day for that.
  case status
  /// All prices, cycles with their anchors, or shares there are, not only one.
  case prices, terms, shares
  /// All pauses and marks of charges there are.
  case pauses, marks
}

/// A subscription as a row has it.
package struct SubscriptionDraft: Sendable, Equatable {
  /// What it would be as a new one, its identity and when it was made aside.
  package var subscription: Subscription
  /// What it costs a cycle today: of the list of all prices where the row has one, else what the row says.
  package var price: Price
  /// The part of it that one pays oneself today: of the list of all shares where the row has one, else what the row says.
  package var share: PayerShare
  /// What of that the row says.
  package var covered: Set<CoveredMember>
  /// What the row says it is.
  package var status: SubscriptionStatus?

  /// What two things have in common of which one can be taken for the other: the name as far as people write it, the price and
  /// the cycle.
  package struct Likeness: Hashable, Sendable {
    let name: String
    let price: Price
    let cycle: String
  }
}

extension TableSubscription {
  /// What a row says, as clients see it.
  package init(_ draft: SubscriptionDraft, today: CivilDay) {
    let row = draft.subscription
    self.init(
      name: row.name, price: Money(draft.price),
      prices: row.prices.count > 1 || row.prices.contains { $0.range != nil } ? row.prices : nil, cycle: row.cycle,
      category: row.category, status: row.status(on: today), anchor: row.anchor, start: row.start,
      trialEnd: row.trialEnd, end: row.end, pauses: row.pauses, formerTerms: row.formerTerms, contract: row.contract,
      share: draft.share.orNil, shares: row.shareList.count > 1 ? row.shareList : nil,
      paymentMethod: row.paymentMethod, tags: row.tags, note: row.note, url: row.url, usage: row.usage,
      reminderDays: row.reminderDays, ownCategory: row.ownCategory, paidBy: row.paidBy, household: row.household,
      cancelBy: row.cancelBy, replacedById: row.replacedById, marks: row.marks)
  }
}
