import CivilTime
import Values

/// Something a person pays for again and again, or paid for once.
///
/// Only what was decided is stored: status, next charge, totals and past charges follow from it and a day. Ranges of days are
/// half-open: what has an end is over on that day. Where lists are ascending, `SubscriptionProblem.all(in:)` checks it.
package struct Subscription: Hashable, Sendable {
  /// The identity.
  package var id: EntityID
  /// What it is called, 1…200 characters.
  package var name: String
  /// What it is for.
  package var category: SubscriptionCategory
  /// What it costs a cycle, since when.
  package var prices: PriceHistory
  /// How often it is charged now.
  package var cycle: Cycle
  /// A day it is charged on; all others are counted from it, forward and back to the start.
  package var anchor: CivilDay
  /// The first day it can be charged on, or its trial can begin.
  package var start: CivilDay
  /// The first day that is no longer free; nil without a trial. Days before it are not charged.
  package var trialEnd: CivilDay?
  /// The first day on which it is over, after it was cancelled; nil while it goes on. That day is not charged.
  package var end: CivilDay?
  /// When it was interrupted; ascending, and only the last may be open.
  package var pauses: [Pause]
  /// Cycles it had before, ascending by their ends.
  package var formerTerms: [FormerTerm]
  /// The contract behind it, where it cannot be left at any time.
  package var contract: Contract?
  /// The part of it that one pays oneself, since when.
  package var shares: ShareHistory
  /// What it is paid with, at most 100 characters.
  package var paymentMethod: String?
  /// At most 20 words to find it by, each of 1…50 characters.
  package var tags: [String]
  /// Anything to remember, at most 10,000 characters.
  package var notes: String?
  /// Where it is managed: an address of http or https, at most 2,000 characters.
  package var url: String?
  /// How much it is used, as far as one says.
  package var usage: UsageRating?
  /// How many days before a charge to remind, 1…7; nil for what the settings say, empty for never.
  package var reminderDays: [Int]?
  /// What happened to single charges; ascending by their days.
  package var marks: [ChargeMark]

  package init(
    id: EntityID, name: String, price: Money, cycle: Cycle, anchor: CivilDay, start: CivilDay? = nil,
    category: SubscriptionCategory = .other, trialEnd: CivilDay? = nil, end: CivilDay? = nil, pauses: [Pause] = [],
    formerTerms: [FormerTerm] = [], priceChanges: [PriceChange] = [], contract: Contract? = nil,
    share: PayerShare = .whole, shareChanges: [ShareChange] = [], paymentMethod: String? = nil, tags: [String] = [],
    notes: String? = nil, url: String? = nil, usage: UsageRating? = nil, reminderDays: [Int]? = nil,
    marks: [ChargeMark] = []
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.prices = PriceHistory(first: price, changes: priceChanges)
    self.cycle = cycle
    self.anchor = anchor
    self.start = start ?? anchor
    self.trialEnd = trialEnd
    self.end = end
    self.pauses = pauses
    self.formerTerms = formerTerms
    self.contract = contract
    self.shares = ShareHistory(first: share, changes: shareChanges)
    self.paymentMethod = paymentMethod
    self.tags = tags
    self.notes = notes
    self.url = url
    self.usage = usage
    self.reminderDays = reminderDays
    self.marks = marks
  }
}

/// What a subscription is for. Their order here breaks ties.
package enum SubscriptionCategory: String, CaseIterable, Sendable {
  case streaming, music, cloud, productivity, gaming, news, fitness, education, utilities, other

  /// The category of that name; `other` for one that is not known.
  package init(named name: String) { self = SubscriptionCategory(rawValue: name) ?? .other }

  /// Its place in the order, from 0.
  package var place: Int { SubscriptionCategory.allCases.firstIndex(of: self) ?? 0 }
}

/// How much a person uses what is paid for, by their own word.
package enum UsageRating: String, CaseIterable, Sendable {
  case none, low, medium, high
}
