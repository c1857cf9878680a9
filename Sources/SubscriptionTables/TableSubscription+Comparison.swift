import CivilTime
import Subscriptions
import Values

extension TableSubscription {
  /// The members of a subscription that say something else than the row, of those that it speaks of, seen from a day.
  package func differences(from other: Subscription, today: CivilDay) -> [String] {
    let row = subscription
    var names: [String] = []
    func compare(_ member: CoveredMembers, _ name: String, _ isSame: Bool) {
      if covered.contains(member), !isSame { names.append(name) }
    }
    if other.name != row.name { names.append("name") }
    compare(.category, "category", other.category == row.category)
    let isSamePrice = covered.contains(.prices) ? other.prices == row.prices : other.prices.price(on: today) == price
    if !isSamePrice { names.append("prices") }
    let told = other.withoutPlannedCycle(today: today)
    compare(.cycle, "cycle", told.cycle == row.cycle)
    compare(.terms, "cycle", other.cycle == row.cycle)
    if anchor(for: told) != told.anchor { names.append("anchor") }
    compare(.terms, "anchor", other.anchor == row.anchor)
    compare(.terms, "formerTerms", other.formerTerms == row.formerTerms)
    compare(.start, "start", other.start == row.start)
    compare(.trialEnd, "trialEnd", other.trialEnd == row.trialEnd)
    compare(.end, "end", other.end == row.end)
    if covered.contains(.status), let name = statusDifference(from: other, today: today) { names.append(name) }
    compare(.pauses, "pauses", other.pauses == row.pauses)
    compare(.contract, "contract", other.contract == row.contract)
    compare(.share, "shares", other.shares.share(on: today) == share)
    compare(.shares, "shares", other.shares == row.shares)
    compare(.paymentMethod, "paymentMethod", other.paymentMethod ?? "" == row.paymentMethod ?? "")
    compare(.tags, "tags", other.tags == row.tags)
    compare(.notes, "notes", other.notes ?? "" == row.notes ?? "")
    compare(.url, "url", other.url ?? "" == row.url ?? "")
    compare(.usage, "usage", other.usage == row.usage)
    compare(.reminderDays, "reminderDays", other.reminderDays == row.reminderDays)
    compare(.marks, "marks", other.marks.telling == row.marks)
    return names
  }

  /// A subscription as the row has it, from a day on: another price, share or cycle holds from then, and what was before is kept,
  /// unless the row has all of them. What the row does not speak of stays.
  package func applied(to other: Subscription, today: CivilDay) -> Subscription {
    let row = subscription
    var applied = other
    applied.name = row.name
    func take<Value>(_ member: CoveredMembers, _ path: WritableKeyPath<Subscription, Value>) {
      if covered.contains(member) { applied[keyPath: path] = row[keyPath: path] }
    }
    take(.category, \.category)
    take(.start, \.start)
    take(.trialEnd, \.trialEnd)
    if covered.contains(.end), row.end != applied.end {
      if row.end.map({ today < $0 }) ?? true { applied = goingOn(applied, today: today) }
      applied.end = row.end
    }
    take(.contract, \.contract)
    take(.paymentMethod, \.paymentMethod)
    take(.tags, \.tags)
    take(.notes, \.notes)
    take(.url, \.url)
    take(.usage, \.usage)
    take(.reminderDays, \.reminderDays)
    apply(cycleTo: &applied, today: today)
    take(.terms, \.cycle)
    take(.terms, \.anchor)
    take(.terms, \.formerTerms)
    applied.prices =
      covered.contains(.prices)
      ? row.prices : taking(price, in: applied.prices, start: applied.start, today: today)
    take(.shares, \.shares)
    if covered.contains(.share) {
      applied.shares = taking(share, in: applied.shares, start: applied.start, today: today)
    }
    if covered.contains(.status), statusDifference(from: applied, today: today) != nil {
      switch status {
      case .cancelled: applied.end = applied.dayKeepingPayments(max(today, applied.start))
      case .paused: applied = paused(applied, today: today)
      default: applied = goingOn(applied, today: today).resuming(on: today, today: today)
      }
    }
    take(.pauses, \.pauses)
    if covered.contains(.marks), applied.marks.telling != row.marks { applied.marks = row.marks }
    return applied
  }

  /// A history with what the row says from today on; from the first day on where nothing has begun.
  private func taking<Value>(
    _ value: Value, in history: DayHistory<Value>, start: CivilDay, today: CivilDay
  ) -> DayHistory<Value> {
    guard history.value(on: today) != value else { return history }
    guard today <= start, history.changes.allSatisfy({ $0.from > today }) else {
      return history.changing(to: value, from: today)
    }
    return DayHistory(first: value, changes: history.changes)
  }

  /// The same going on from a day if it is over: no charge is made up for the days on which it was.
  private func goingOn(_ other: Subscription, today: CivilDay) -> Subscription {
    other.end.map { $0 <= max(today, other.start) } ?? false ? other.reactivating(on: today) : other
  }

  /// The same interrupted from a day on, but not before what is paid has come.
  private func paused(_ other: Subscription, today: CivilDay) -> Subscription {
    other.pausing(from: other.dayKeepingPayments(today))
  }

  private func apply(cycleTo applied: inout Subscription, today: CivilDay) {
    let told = applied.withoutPlannedCycle(today: today)
    let (cycle, anchor) = (self.cycle(for: told), self.anchor(for: told))
    if cycle != told.cycle || anchor != told.anchor {
      applied = applied.changingCycle(to: cycle, anchor: anchor, from: today, today: today)
    }
  }

  private func cycle(for told: Subscription) -> Cycle { covered.contains(.cycle) ? subscription.cycle : told.cycle }

  /// The day to count from. What is there stays where the row's day is counted from it too: it may know more of a month than
  /// that, as 31 January does of the month ends beside 28 February.
  private func anchor(for told: Subscription) -> CivilDay {
    guard covered.contains(.anchor) || covered.contains(.nextCharge) else { return told.anchor }
    let isCounted = Schedule(anchor: told.anchor, cycle: cycle(for: told)).contains(subscription.anchor)
    return isCounted ? told.anchor : subscription.anchor
  }

  /// The member that makes a subscription something else than the row says it is; nil when none does. Where the row has the
  /// pauses, they say whether it is interrupted.
  private func statusDifference(from other: Subscription, today: CivilDay) -> String? {
    let found = other.status(on: today)
    switch status {
    case .cancelled: return found == .cancelled || other.end != nil ? nil : "end"
    case .paused:
      if found == .paused || found == .cancelled || covered.contains(.pauses) { return nil }
      return paused(other, today: today) == other ? nil : "pauses"
    case .active, .trial:
      if found == .paused { return covered.contains(.pauses) ? nil : "pauses" }
      return found == .cancelled && other.end != nil ? "end" : nil
    case nil: return nil
    }
  }
}
