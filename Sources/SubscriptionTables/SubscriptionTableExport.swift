import CivilTime
import Subscriptions
import Tables

/// Writes subscriptions as a table that `SubscriptionTableImport` reads, with nothing lost.
package struct SubscriptionTableExport: Sendable {
  private var writer: TableWriter
  private let today: CivilDay
  /// Bytes so far, those that were taken among them.
  package private(set) var byteCount = 0

  /// Begins with the header. Prices, shares, cycles and states are those of `today`.
  package init(today: CivilDay, hasMark: Bool = false) {
    self.today = today
    writer = TableWriter(hasMark: hasMark)
    for column in KnownTable.columns { writer.plain(column.header) }
    writer.endRow()
  }

  /// Rows below the header.
  package var rows: Int { writer.rows - 1 }

  /// Bytes that were not taken yet.
  package var pending: Int { writer.bytes.count }

  /// Hands out what was written since.
  package mutating func take() -> [UInt8] {
    byteCount += writer.bytes.count
    return writer.take()
  }

  package mutating func append(_ subscription: Subscription) {
    let price = subscription.prices.price(on: today)
    let status = subscription.status(on: today)
    // A planned cycle beside the price of today would make another subscription of it.
    let told = subscription.withoutPlannedCycle(today: today)
    let (monthly, currency) = subscription.monthlyCost(on: today)
    writer.text(subscription.name)
    writer.number(price.amount)
    writer.plain(price.currency.code)
    writer.plain(told.cycle.count.map { String($0) } ?? "")
    writer.plain(told.cycle.unitName)
    day(told.nextCharge(today: today)?.day)
    writer.plain(subscription.category.rawValue)
    writer.plain(status.rawValue)
    writer.plain(status == .active || status == .trial ? "true" : "false")
    writer.number(Money(rounding: monthly, currency).amount)
    day(subscription.start)
    day(told.anchor)
    day(subscription.trialEnd)
    day(subscription.end)
    day(subscription.contract?.end)
    writer.plain(subscription.contract.map { SpanText.text($0.notice.count, $0.notice.unit) } ?? "")
    if case .every(let count, let unit)? = subscription.contract?.renewal {
      writer.plain(SpanText.text(count, unit))
    } else {
      writer.plain("")
    }
    writer.plain(ShareText.text(subscription.shares.share(on: today)))
    writer.text(subscription.paymentMethod)
    writer.text(TagsText.text(subscription.tags))
    writer.text(subscription.notes)
    writer.text(subscription.url)
    writer.plain(subscription.usage?.rawValue ?? "")
    writer.plain(ReminderDaysText.text(subscription.reminderDays))
    writer.plain("\(subscription.id)")
    writer.plain(PricesText.text(subscription.prices))
    writer.plain(CyclesText.text(subscription))
    writer.plain(PausesText.text(subscription.pauses))
    writer.plain(ChargesText.text(subscription.marks))
    writer.plain(SharesText.text(subscription.shares))
    writer.endRow()
  }

  private mutating func day(_ day: CivilDay?) { writer.plain(day.map { $0.description } ?? "") }
}
