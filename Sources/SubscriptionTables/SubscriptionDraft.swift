import CivilTime
import DaybookProtocol
import Subscriptions
import Values

/// Members of a subscription that a row speaks of: what it says nothing of is no difference. Name and price it always has.
package struct CoveredMembers: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let cycle = CoveredMembers(rawValue: 1)
  /// The very anchor, not only a day counted from it.
  package static let anchor = CoveredMembers(rawValue: 2)
  /// A day of the cycle.
  package static let nextCharge = CoveredMembers(rawValue: 4)
  package static let category = CoveredMembers(rawValue: 8)
  package static let start = CoveredMembers(rawValue: 16)
  package static let trialEnd = CoveredMembers(rawValue: 32)
  package static let end = CoveredMembers(rawValue: 64)
  /// Whether it goes on, is interrupted or over, without a day for that.
  package static let status = CoveredMembers(rawValue: 128)
  package static let contract = CoveredMembers(rawValue: 256)
  package static let share = CoveredMembers(rawValue: 512)
  package static let paymentMethod = CoveredMembers(rawValue: 1024)
  package static let tags = CoveredMembers(rawValue: 2048)
  package static let notes = CoveredMembers(rawValue: 4096)
  package static let url = CoveredMembers(rawValue: 8192)
  package static let usage = CoveredMembers(rawValue: 16384)
  package static let reminderDays = CoveredMembers(rawValue: 32768)
  /// All prices there are, not only one.
  package static let prices = CoveredMembers(rawValue: 65536)
  /// All cycles there are, with their anchors, not only one.
  package static let terms = CoveredMembers(rawValue: 131_072)
  /// All pauses there are.
  package static let pauses = CoveredMembers(rawValue: 262_144)
  /// All marks of charges there are.
  package static let marks = CoveredMembers(rawValue: 524_288)
  /// All shares there are, not only one.
  package static let shares = CoveredMembers(rawValue: 1_048_576)
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
  package var covered: CoveredMembers
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
      name: row.name, price: Money(draft.price), prices: row.prices.count > 1 ? row.prices : nil, cycle: row.cycle,
      category: row.category, status: row.status(on: today), anchor: row.anchor, start: row.start,
      trialEnd: row.trialEnd, end: row.end, pauses: row.pauses, formerTerms: row.formerTerms, contract: row.contract,
      share: draft.share.orNil, shares: row.shareList.count > 1 ? row.shareList : nil,
      paymentMethod: row.paymentMethod, tags: row.tags, notes: row.notes, url: row.url, usage: row.usage,
      reminderDays: row.reminderDays, marks: row.marks)
  }
}
