import DaybookProtocol
import Subscriptions
import Tables

extension Subscription: TableEntity {}

/// Applies rows to subscriptions, as of a day.
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

  /// A running subscription may have changed its cycle, price or currency since it was imported.
  package var takesResembling: Bool { true }

  package func resemblance(of draft: SubscriptionDraft) -> String? { NameFolding.fold(draft.subscription.name) }

  package func resemblance(of subscription: Subscription) -> String? {
    subscription.status(on: today) == .cancelled ? nil : NameFolding.fold(subscription.name)
  }

  package func order(_ alike: inout [Subscription]) {
    alike.sort { Subscription.isAdded($1, before: $0) }
  }

  package func understands(_ subscription: Subscription) -> Bool {
    SubscriptionRules.formRefusal(of: subscription) == nil
  }

  /// The members that the row covers and that differ from the stored subscription, as of `today`.
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
    let shown = other.withoutPlannedCycle(today: today)
    compare(.cycle, "cycle", shown.cycle == row.cycle)
    compare(.terms, "cycle", other.cycle == row.cycle)
    if draft.anchor(for: shown) != shown.anchor { names.append("anchor") }
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
    // The paid amount may be in a mark, or follow from the price.
    let isSameMarks =
      other.markList.filter(\.isMeaningful) == row.markList
      || other.withPaidAmounts.markList.filter(\.isMeaningful) == row.withPaidAmounts.markList
    compare(.marks, "marks", isSameMarks)
    return names
  }

  /// The subscription with the row applied. Another price, share or cycle holds from `today` on and history is kept,
  /// unless the row has the whole history.
  package func applied(
    _ draft: SubscriptionDraft, to stored: Subscription
  ) throws(Refusal) -> Subscription? {
    var applied = merged(draft, stored)
    // Marks in the row are the user's own statement.
    if !draft.covered.contains(.marks) { applied = applied.keepingPayments(since: stored.tidied) }
    let refusal =
      SubscriptionRules.refusals(of: applied, since: stored).first
      ?? SubscriptionRules.lostPayment(leftOutOf: applied, since: stored.tidied)
    if let refusal { throw refusal }
    return applied
  }

  /// The subscription with the row applied, whether or not the rules allow it. Unchanged members keep their stored
  /// form.
  func merged(_ draft: SubscriptionDraft, _ stored: Subscription) -> Subscription {
    let (row, covered) = (draft.subscription, draft.covered)
    var applied = stored.tidied
    applied.name = row.name
    func copy<Value>(_ member: CoveredMember, _ path: WritableKeyPath<Subscription, Value>) {
      if covered.contains(member) { applied[keyPath: path] = row[keyPath: path] }
    }
    if covered.contains(.category), applied.category.orOther != row.category { applied.category = row.category }
    copy(.start, \.start)
    copy(.trialEnd, \.trialEnd)
    if covered.contains(.end), row.end != applied.end {
      if row.end.map({ today < $0 }) ?? true { applied = resumed(applied) }
      applied.end = row.end
    }
    if covered.contains(.contract), applied.contract?.tidied != row.contract { applied.contract = row.contract }
    copy(.paymentMethod, \.paymentMethod)
    copy(.tags, \.tags)
    copy(.note, \.note)
    copy(.url, \.url)
    if covered.contains(.usage), applied.usage.known != row.usage { applied.usage = row.usage }
    copy(.reminderDays, \.reminderDays)
    copy(.ownCategory, \.ownCategory)
    copy(.paidBy, \.paidBy)
    copy(.household, \.household)
    copy(.cancelBy, \.cancelBy)
    copy(.replacedById, \.replacedById)
    apply(draft, cycleTo: &applied)
    copy(.terms, \.cycle)
    copy(.terms, \.anchor)
    copy(.terms, \.formerTerms)
    if covered.contains(.prices) {
      applied.prices = row.prices
    } else if applied.price(on: today) != draft.price {
      applied.prices = changing(SubscriptionPrice(Money(draft.price)), in: applied.prices, start: applied.start)
    }
    copy(.shares, \.shares)
    if covered.contains(.share) {
      applied.shareList = changing(SubscriptionShare(draft.share), in: applied.shareList, start: applied.start)
    }
    if covered.contains(.status), draft.statusDifference(from: applied, today: today) != nil {
      switch draft.status {
      case .cancelled: applied.end = applied.dayKeepingPayments(max(today, applied.start))
      case .paused: applied = applied.pausedKeepingPayments(today)
      default: applied = resumed(applied).resuming(on: today, today: today)
      }
    }
    copy(.pauses, \.pauses)
    if covered.contains(.marks), applied.markList.filter(\.isMeaningful) != row.markList { applied.marks = row.marks }
    return applied
  }

  /// A history with `element` from `today` on; from the start when nothing has begun.
  private func changing<Element: EffectiveDated>(_ element: Element, in list: [Element], start: CivilDay) -> [Element] {
    var current = list.index(on: today).map { list[$0] }
    current?.from = nil
    guard current != element else { return list }
    guard today <= start, list.dropFirst().allSatisfy({ $0.from.map { $0 > today } ?? true }) else {
      return list.changing(to: element, from: today)
    }
    return [element] + list.dropFirst()
  }

  /// The subscription going on from `today` if it has ended, without charges for the days in between.
  private func resumed(_ other: Subscription) -> Subscription {
    other.end.map { $0 <= max(today, other.start) } ?? false ? other.reactivating(on: today) : other
  }

  private func apply(_ draft: SubscriptionDraft, cycleTo applied: inout Subscription) {
    let shown = applied.withoutPlannedCycle(today: today)
    let (cycle, anchor) = (draft.cycle(for: shown), draft.anchor(for: shown))
    if cycle != shown.cycle || anchor != shown.anchor {
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
  fileprivate func cycle(for shown: Subscription) -> BillingCycle {
    covered.contains(.cycle) ? subscription.cycle : shown.cycle
  }

  /// The anchor to use. The stored one stays where the row's day is in its schedule: it may know the day of the month
  /// that a clamped date has lost.
  fileprivate func anchor(for shown: Subscription) -> CivilDay {
    guard covered.contains(.anchor) || covered.contains(.nextCharge) else { return shown.anchor }
    let isCounted = Schedule(anchor: shown.anchor, cycle: cycle(for: shown)).contains(subscription.anchor)
    return isCounted ? shown.anchor : subscription.anchor
  }

  /// The member by which a subscription does not have the row's status; nil when it has it. Pauses in the row win over
  /// its status.
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
  /// The subscription paused from a day on, but not before a paid charge.
  fileprivate func pausedKeepingPayments(_ day: CivilDay) -> Subscription { pausing(from: dayKeepingPayments(day)) }
}

extension Contract {
  /// The contract without a notice of 0.
  fileprivate var tidied: Contract {
    Contract(end: end, notice: notice.flatMap { $0.count > 0 ? $0 : nil }, renewal: renewal)
  }
}

extension UsageRating? {
  /// The rating; nil for one of a later version.
  var known: UsageRating? { flatMap { UsageRating.known.contains($0) ? $0 : nil } }
}
