import CivilTime
import DaybookProtocol
import Subscriptions
import Tables
import Values

extension SubscriptionDrafts {
  /// Refuses a price or a share that stands in its list, but for other days than the one that the row was written on.
  ///
  /// No row says which day that was, and it need not be today. But price, share and cycle held on it together, and the
  /// next charge was the one that is named. So what never held together is refused, and what did only before another
  /// charge that came earlier and is not paid. What cannot be told is not refused.
  func compareWritten(
    _ subscription: Subscription, _ history: RowHistory, _ price: Price, _ share: PayerShare, _ cycle: BillingCycle,
    _ days: RowDays, _ reader: inout RowReader
  ) {
    let latest = days.nextCharge ?? CivilDay.allowed.upperBound
    let (hasPrice, hasShare) = (history.prices != nil, history.shares != nil && mapping.columns["share"] != nil)
    let isPriceOff = hasPrice && subscription.price(on: latest) != price
    let isShareOff = hasShare && subscription.share(on: latest) != share
    // Where a charge that comes once was planned away, the row has the cycle that was planned.
    guard isPriceOff || isShareOff, subscription.formerTermList.allSatisfy(\.cycle.isRecurring) else { return }
    let changes =
      subscription.prices.compactMap(\.from) + subscription.shareList.compactMap(\.from)
      + subscription.formerTermList.map(\.until)
    let lasts = changes.map { $0.advanced(by: -1) }.filter { $0 < latest }.sorted(by: >)
    let written = ([latest] + lasts).first { day in
      let term = subscription.term(on: day)
      return (!hasPrice || subscription.price(on: day) == price)
        && (!hasShare || subscription.share(on: day) == share)
        && term.cycle == cycle && days.anchor ?? term.anchor == term.anchor
    }
    if let written, isNext(days.nextCharge, of: subscription, on: written) { return }
    let (field, noun, list) = isPriceOff ? ("amount", "price", "Prices") : ("share", "share", "Shares")
    reader.refuse(
      .contradiction, field, "it is the \(noun) of other days than the row is of",
      allowed: "what “\(list)” says of the day on which the table was written, or nothing in that column")
  }

  /// Whether a day can have been told as that of the next charge on another; so can one that is none of a charge: then
  /// something else was edited too.
  private func isNext(_ next: CivilDay?, of subscription: Subscription, on day: CivilDay) -> Bool {
    guard let next else { return true }
    let told = subscription.withoutPlannedCycle(today: day)
    return told.nextCharge(today: next)?.day != next || told.nextCharge(today: day)?.day == next
  }
}
