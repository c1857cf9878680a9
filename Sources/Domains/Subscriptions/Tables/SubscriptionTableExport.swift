import CivilTime
import DaybookProtocol
import Subscriptions
import Tables

/// Subscriptions as a table that is read again, with nothing lost.
extension TableExport<Subscription> {
  /// Prices, shares, cycles and states are those of `today`.
  package static func subscriptions(today: CivilDay, hasMark: Bool = false) -> TableExport {
    TableExport(header: KnownSubscriptionTable.columns.map(\.header), hasMark: hasMark) { stored, writer in
      let subscription = stored.tidied
      let price = subscription.price(on: today)
      let status = subscription.status(on: today)
      // A planned cycle beside the price of today would make another subscription of it.
      let told = subscription.withoutPlannedCycle(today: today)
      let (monthly, currency) = subscription.monthlyCost(on: today)
      writer.text(subscription.name)
      writer.number(price.amount)
      writer.plain(price.currency.code)
      writer.plain(told.cycle.count.map { String($0) } ?? "")
      writer.plain(told.cycle.unitName)
      writer.day(told.nextCharge(today: today)?.day)
      writer.plain(subscription.category.orOther.rawValue)
      writer.plain(status.rawValue)
      writer.plain(status == .active || status == .trial ? "true" : "false")
      writer.number(Price(rounding: monthly, currency).amount)
      writer.day(subscription.start)
      writer.day(told.anchor)
      writer.day(subscription.trialEnd)
      writer.day(subscription.end)
      writer.day(subscription.contract?.end)
      let notice = subscription.contract.map { $0.notice ?? CalendarSpan(0, .day) }
      for span in [notice, subscription.contract?.renewal] {
        writer.plain(span.map { SpanText.text($0.count, $0.unit.rawValue) } ?? "")
      }
      writer.plain(ShareText.text(subscription.share(on: today)))
      writer.text(subscription.paymentMethod)
      writer.text(TagsText.text(subscription.tagList))
      writer.text(subscription.note)
      writer.text(subscription.url)
      writer.plain(subscription.usage.known?.rawValue ?? "")
      writer.plain(ReminderDaysText.text(subscription.reminderDays))
      writer.plain("\(subscription.id)")
      writer.plain(PricesText.text(subscription.prices))
      writer.plain(CyclesText.text(subscription))
      writer.plain(PausesText.text(subscription.pauseList))
      writer.plain(ChargesText.text(subscription.markList))
      writer.plain(SharesText.text(subscription.shareList))
      writer.plain(CycleRuleText.text(told.cycle))
      writer.text(subscription.ownCategory)
      writer.text(subscription.paidBy)
      writer.text(HouseholdText.text(subscription.household ?? []))
      writer.day(subscription.cancelBy)
      writer.plain(subscription.replacedById.map { "\($0)" } ?? "")
    }
  }
}
