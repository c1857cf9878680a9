import DaybookProtocol
import Subscriptions
import Tables

/// Subscriptions as a table that the import reads back without loss.
extension TableExport<Subscription> {
  /// Prices, shares, cycles and statuses are those of `today`.
  package static func subscriptions(today: CivilDay, hasMark: Bool = false) -> TableExport {
    TableExport(header: KnownSubscriptionTable.columns.map(\.header), hasMark: hasMark) { stored, writer in
      let subscription = stored.tidied
      let price = subscription.price(on: today)
      let status = subscription.status(on: today)
      // A planned cycle with today's price would be read as another subscription.
      let shown = subscription.withoutPlannedCycle(today: today)
      let (monthly, currency) = subscription.monthlyCost(on: today)
      writer.text(subscription.name)
      writer.number(price.amount)
      writer.plain(price.currency.code)
      writer.plain(shown.cycle.count.map { String($0) } ?? "")
      writer.plain(shown.cycle.unitName)
      writer.day(shown.nextCharge(today: today)?.day)
      writer.plain(subscription.category.orOther.rawValue)
      writer.plain(status.rawValue)
      writer.plain(status == .active || status == .trial ? "true" : "false")
      writer.number(Price(rounding: monthly, currency).amount)
      writer.day(subscription.start)
      writer.day(shown.anchor)
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
      writer.plain(CycleRuleText.text(shown.cycle))
      writer.text(subscription.ownCategory)
      writer.text(subscription.paidBy)
      writer.text(HouseholdText.text(subscription.household ?? []))
      writer.day(subscription.cancelBy)
      writer.plain(subscription.replacedById.map { "\($0)" } ?? "")
    }
  }
}

/// The options of an import of subscriptions; nil means detect.
package struct SubscriptionTableOptions: Sendable {
  /// The program that wrote the table; nil or `auto` to detect it by the headers.
  package var format: SubscriptionTableFormat?
  package var scan = ScanOptions()
  /// The currency of amounts that state none.
  package var currency: Currency?
  /// The currency of the locale, which a shared symbol means there.
  package var home: Currency?
  /// Whether the request named `currency`, so that it wins over the locale.
  package var isCurrencyNamed = false
  /// What a shared symbol means: the first of these that has it.
  var preferred: [Currency] { (isCurrencyNamed ? [currency] : [home, currency]).compactMap { $0 } }
  /// Stored currencies that ISO 4217 does not list, or no longer: a row of our own with its id may keep them.
  package var unlisted: [EntityID: Set<Currency>] = [:]
  /// The day of the import: rows without days start on it, and a stated end or pause begins on it.
  package var today: CivilDay

  package init(today: CivilDay) { self.today = today }
}

package typealias SubscriptionTable = ImportedTable<KnownSubscriptionTable, SubscriptionDraft>

extension SubscriptionTable {
  /// Reads a table, or a JSON list of objects, for an import. `shouldContinue` receives the percentage read, and returns false
  /// to cancel.
  package static func read(
    _ bytes: [UInt8], _ options: SubscriptionTableOptions, limits: TableLimits = TableLimits(),
    shouldContinue: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> SubscriptionTable {
    let format = options.format == .auto ? nil : options.format
    var (text, options) = (try DecodedText.decode(bytes, options.scan, limits: limits), options)
    if let table = JSONLists.table(text) {
      text.replace(with: table)
      (options.scan.delimiter, options.scan.mark, options.scan.skipLines) = (nil, .point, 0)
    }
    let final = options
    if format == nil || format == .subsum { SubsumText.repair(&text, options.scan) }
    return try read(
      text,
      as: KnownSubscriptionTable.all.filter { format == nil || $0.format == format }, isStated: format != nil,
      options.scan, limits: limits, shouldContinue: shouldContinue
    ) { SubscriptionDrafts($0, $1, final) }
  }
}
