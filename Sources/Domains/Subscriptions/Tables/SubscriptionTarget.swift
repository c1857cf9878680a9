import CivilTime
import DaybookProtocol
import Subscriptions
import Tables
import Values

extension Subscription: TableEntity {}

/// Rows that become subscriptions, seen from a day.
package struct SubscriptionTarget: TableTarget {
  package let today: CivilDay

  package init(today: CivilDay) { self.today = today }

  package var takesOnlySame: Bool { false }

  package func likeness(of draft: SubscriptionDraft) -> SubscriptionDraft.Likeness? {
    likeness(draft.subscription, draft.price)
  }

  package func likeness(of subscription: Subscription) -> SubscriptionDraft.Likeness {
    likeness(subscription, subscription.price(on: today))
  }

  private func likeness(_ subscription: Subscription, _ price: Price) -> SubscriptionDraft.Likeness {
    SubscriptionDraft.Likeness(
      name: NameFolding.fold(subscription.name), price: price,
      cycle: subscription.withoutPlannedCycle(today: today).cycle.cellText)
  }

  /// Something that goes on may have another cycle, price or currency than when it was imported.
  package var takesResembling: Bool { true }

  package func resemblance(of draft: SubscriptionDraft) -> String? { NameFolding.fold(draft.subscription.name) }

  package func resemblance(of subscription: Subscription) -> String? {
    subscription.status(on: today) == .cancelled ? nil : NameFolding.fold(subscription.name)
  }

  /// Of several that are alike the first one is taken first.
  package func order(_ alike: inout [Subscription]) {
    alike.sort { Subscription.isAdded($1, before: $0) }
  }

  package func understands(_ subscription: Subscription) -> Bool {
    SubscriptionRules.formRefusal(of: subscription) == nil
  }

  /// The members of a subscription that say something else than the row, of those that it speaks of, seen from a day.
  package func differences(of stored: Subscription, from draft: SubscriptionDraft) -> [String] {
    let (row, other, covered) = (draft.subscription, stored.tidied, draft.covered)
    var names: [String] = []
    func compare(_ member: CoveredMember, _ name: String, _ isSame: Bool) {
      if covered.contains(member), !isSame { names.append(name) }
    }
    if other.name != row.name { names.append("name") }
    compare(.category, "category", other.category.orOther == row.category)
    let isSamePrice = covered.contains(.prices) ? other.prices == row.prices : other.price(on: today) == draft.price
    if !isSamePrice { names.append("prices") }
    let told = other.withoutPlannedCycle(today: today)
    compare(.cycle, "cycle", told.cycle == row.cycle)
    compare(.terms, "cycle", other.cycle == row.cycle)
    if draft.anchor(for: told) != told.anchor { names.append("anchor") }
    compare(.terms, "anchor", other.anchor == row.anchor)
    compare(.terms, "formerTerms", other.formerTerms == row.formerTerms)
    compare(.start, "start", other.start == row.start)
    compare(.trialEnd, "trialEnd", other.trialEnd == row.trialEnd)
    compare(.end, "end", other.end == row.end)
    if covered.contains(.status), let name = draft.statusDifference(from: other, today: today) { names.append(name) }
    compare(.pauses, "pauses", other.pauses == row.pauses)
    compare(.contract, "contract", other.contract?.tidied == row.contract)
    compare(.share, "shares", other.share(on: today) == draft.share)
    compare(.shares, "shares", other.shares == row.shares)
    compare(.paymentMethod, "paymentMethod", other.paymentMethod ?? "" == row.paymentMethod ?? "")
    compare(.tags, "tags", other.tags == row.tags)
    compare(.note, "note", other.note ?? "" == row.note ?? "")
    compare(.url, "url", other.url ?? "" == row.url ?? "")
    compare(.usage, "usage", other.usage.known == row.usage)
    compare(.reminderDays, "reminderDays", other.reminderDays == row.reminderDays)
    compare(.ownCategory, "ownCategory", other.ownCategory == row.ownCategory)
    compare(.paidBy, "paidBy", other.paidBy == row.paidBy)
    compare(.household, "household", other.household == row.household)
    compare(.cancelBy, "cancelBy", other.cancelBy == row.cancelBy)
    compare(.replacedById, "replacedById", other.replacedById == row.replacedById)
    // What was paid may stand in a mark, or follow from the price yet.
    let isSameMarks =
      other.markList.filter(\.isTelling) == row.markList
      || other.payingPrices.markList.filter(\.isTelling) == row.payingPrices.markList
    compare(.marks, "marks", isSameMarks)
    return names
  }

  /// A subscription as the row has it, from a day on: another price, share or cycle holds from then, and what was before is kept,
  /// unless the row has all of them. What the row does not speak of stays.
  package func applied(
    _ draft: SubscriptionDraft, to stored: Subscription
  ) throws(Refusal) -> Subscription? {
    var applied = becoming(draft, stored)
    // What a row itself says of single charges is what the user says.
    if !draft.covered.contains(.marks) { applied = applied.keepingPayments(since: stored.tidied) }
    let refusal =
      SubscriptionRules.refusals(of: applied, since: stored).first
      ?? SubscriptionRules.lostPayment(leftOutOf: applied, since: stored.tidied)
    if let refusal { throw refusal }
    return applied
  }

  /// The same, whether or not the rules allow it. What stays keeps the very form that it has.
  func becoming(_ draft: SubscriptionDraft, _ stored: Subscription) -> Subscription {
    let (row, covered) = (draft.subscription, draft.covered)
    var applied = stored.tidied
    applied.name = row.name
    func take<Value>(_ member: CoveredMember, _ path: WritableKeyPath<Subscription, Value>) {
      if covered.contains(member) { applied[keyPath: path] = row[keyPath: path] }
    }
    if covered.contains(.category), applied.category.orOther != row.category { applied.category = row.category }
    take(.start, \.start)
    take(.trialEnd, \.trialEnd)
    if covered.contains(.end), row.end != applied.end {
      if row.end.map({ today < $0 }) ?? true { applied = goingOn(applied) }
      applied.end = row.end
    }
    if covered.contains(.contract), applied.contract?.tidied != row.contract { applied.contract = row.contract }
    take(.paymentMethod, \.paymentMethod)
    take(.tags, \.tags)
    take(.note, \.note)
    take(.url, \.url)
    if covered.contains(.usage), applied.usage.known != row.usage { applied.usage = row.usage }
    take(.reminderDays, \.reminderDays)
    take(.ownCategory, \.ownCategory)
    take(.paidBy, \.paidBy)
    take(.household, \.household)
    take(.cancelBy, \.cancelBy)
    take(.replacedById, \.replacedById)
    apply(draft, cycleTo: &applied)
    take(.terms, \.cycle)
    take(.terms, \.anchor)
    take(.terms, \.formerTerms)
    if covered.contains(.prices) {
      applied.prices = row.prices
    } else if applied.price(on: today) != draft.price {
      applied.prices = taking(SubscriptionPrice(Money(draft.price)), in: applied.prices, start: applied.start)
    }
    take(.shares, \.shares)
    if covered.contains(.share) {
      applied.shareList = taking(SubscriptionShare(draft.share), in: applied.shareList, start: applied.start)
    }
    if covered.contains(.status), draft.statusDifference(from: applied, today: today) != nil {
      switch draft.status {
      case .cancelled: applied.end = applied.dayKeepingPayments(max(today, applied.start))
      case .paused: applied = applied.pausedKeepingPayments(today)
      default: applied = goingOn(applied).resuming(on: today, today: today)
      }
    }
    take(.pauses, \.pauses)
    if covered.contains(.marks), applied.markList.filter(\.isTelling) != row.markList { applied.marks = row.marks }
    return applied
  }

  /// A history with what the row says from today on; from the first day on where nothing has begun.
  private func taking<Element: HeldFromDay>(_ element: Element, in list: [Element], start: CivilDay) -> [Element] {
    var there = list.place(on: today).map { list[$0] }
    there?.from = nil
    guard there != element else { return list }
    guard today <= start, list.dropFirst().allSatisfy({ $0.from.map { $0 > today } ?? true }) else {
      return list.changing(to: element, from: today)
    }
    return [element] + list.dropFirst()
  }

  /// The same going on from today if it is over: no charge is made up for the days on which it was.
  private func goingOn(_ other: Subscription) -> Subscription {
    other.end.map { $0 <= max(today, other.start) } ?? false ? other.reactivating(on: today) : other
  }

  private func apply(_ draft: SubscriptionDraft, cycleTo applied: inout Subscription) {
    let told = applied.withoutPlannedCycle(today: today)
    let (cycle, anchor) = (draft.cycle(for: told), draft.anchor(for: told))
    if cycle != told.cycle || anchor != told.anchor {
      applied = applied.changingCycle(to: cycle, anchor: anchor, from: today, today: today)
    }
  }

  package func placed(_ subscription: Subscription, behind count: Int) -> Subscription {
    var placed = subscription
    placed.place = count > 0 ? count : nil
    return placed
  }

  package func made(of draft: SubscriptionDraft, id: EntityID, at instant: Instant) -> Subscription? {
    var made = draft.subscription
    (made.id, made.createdAt, made.updatedAt) = (id, instant, instant)
    return made
  }
}

extension SubscriptionDraft {
  fileprivate func cycle(for told: Subscription) -> BillingCycle {
    covered.contains(.cycle) ? subscription.cycle : told.cycle
  }

  /// The day to count from. What is there stays where the row's day is counted from it too: it may know more of a month than
  /// that, as 31 January does of the month ends beside 28 February.
  fileprivate func anchor(for told: Subscription) -> CivilDay {
    guard covered.contains(.anchor) || covered.contains(.nextCharge) else { return told.anchor }
    let isCounted = Schedule(anchor: told.anchor, cycle: cycle(for: told)).contains(subscription.anchor)
    return isCounted ? told.anchor : subscription.anchor
  }

  /// The member that makes a subscription something else than the row says it is; nil when none does. Where the row has the
  /// pauses, they say whether it is interrupted.
  fileprivate func statusDifference(from other: Subscription, today: CivilDay) -> String? {
    let found = other.status(on: today)
    switch status {
    case .cancelled: return found == .cancelled || other.end != nil ? nil : "end"
    case .paused:
      if found == .paused || found == .cancelled || covered.contains(.pauses) { return nil }
      return other.pausedKeepingPayments(today) == other ? nil : "pauses"
    case .active, .trial:
      if found == .paused { return covered.contains(.pauses) ? nil : "pauses" }
      return found == .cancelled && other.end != nil ? "end" : nil
    case .unknown, nil: return nil
    }
  }
}

extension Subscription {
  /// The same interrupted from a day on, but not before what is paid has come.
  fileprivate func pausedKeepingPayments(_ day: CivilDay) -> Subscription { pausing(from: dayKeepingPayments(day)) }
}

extension Contract {
  /// The same without a notice of nothing, which has one form.
  fileprivate var tidied: Contract {
    Contract(end: end, notice: notice.flatMap { $0.count > 0 ? $0 : nil }, renewal: renewal)
  }
}

extension UsageRating? {
  /// The rating; nil for one of a later version.
  var known: UsageRating? { flatMap { UsageRating.known.contains($0) ? $0 : nil } }
}
