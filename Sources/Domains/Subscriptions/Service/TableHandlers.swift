import Calendars
import DomainKit
import SubscriptionTables
import Subscriptions
import TableService
import Tables

private struct SubscriptionTableReading: TableReading {
  let options: SubscriptionTableOptions

  func read(
    _ bytes: [UInt8], limits: TableLimits, shouldContinue: (Int) -> Bool
  ) throws(TableRefusal) -> SubscriptionTable {
    try SubscriptionTable.read(bytes, options, limits: limits, shouldContinue: shouldContinue)
  }

  func rows(of table: SubscriptionTable) -> TableRows {
    TableRows(table.rows, SubscriptionTarget(today: options.today))
  }

  var methods: (preview: Method, importing: Method) { (.subscriptionsPreviewImport, .subscriptionsImport) }
  var wanted: (words: String, field: String) { ("a name and an amount", "name") }
}

extension SubscriptionsPreviewImportParams: TableParams {}
extension SubscriptionsImportParams: TableParams {}

extension SubscriptionsService {
  func subscriptionsPreviewImport(
    _ params: SubscriptionsPreviewImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<SubscriptionsPreviewImportResult> {
    let source = try TableSource(params, context.days.zone)
    let reading = try reading(params.format, params.currency, source, context)
    let (importer, today) = (try TableImport(context), context.today)
    return Deferred { work throws(RPCError) in
      SubscriptionsService.preview(params, try await reading.preview(source, importer, work), today)
    }
  }

  private static func preview(
    _ params: SubscriptionsPreviewImportParams,
    _ read: ComparedTable<KnownSubscriptionTable, SubscriptionDraft>, _ today: CivilDay
  ) -> SubscriptionsPreviewImportResult {
    let (table, outcomes) = (read.table, read.outcomes)
    return SubscriptionsPreviewImportResult(
      format: table.known.format, encoding: table.encoding, delimiter: table.delimiterText, skippedLines: table.skipped,
      dateFormat: table.style.order, decimalMark: table.style.mark,
      columns: table.columns, fields: table.known.shape.fields.map(\.name), rows: table.rows.count, new: outcomes.new,
      present: outcomes.present, different: outcomes.different, ignored: table.ignored, ignoredRows: table.told,
      refused: table.refused,
      problems: table.problems,
      first: zip(table.rows, outcomes.list).prefix(params.limit ?? TableImport.shownRows).map { row, outcome in
        let (kind, id, differs) = outcome.wire
        var shown = SubscriptionRow(row: row.number, outcome: kind, id: id, differs: differs)
        if case .draft(let draft) = row.content { shown.subscription = TableSubscription(draft, today: today) }
        return shown
      }, revision: read.revision)
  }

  func subscriptionsImport(
    _ params: SubscriptionsImportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<SubscriptionsImportResult> {
    let source = try TableSource(params, context.days.zone)
    let reading = try reading(params.format, params.currency, source, context)
    let importer = try TableImport(context, params.onProblem, params.onDifferent)
    return Deferred { work throws(RPCError) in
      let (table, counts) = try await reading.importTable(source, importer, work)
      return SubscriptionsImportResult(
        format: table.known.format, skippedLines: table.skipped, rows: counts.rows, added: counts.added,
        replaced: counts.replaced,
        present: counts.present, different: counts.different, ignored: table.ignored, ignoredRows: table.told,
        refused: table.refused,
        problems: table.problems, changed: counts.summary.isChanged, undoable: counts.summary.isUndoable,
        backupId: counts.summary.backup?.description, revision: counts.summary.revision)
    }
  }

  private func reading(
    _ format: SubscriptionTableFormat?, _ currency: String?, _ source: TableSource, _ context: Context
  ) throws(RPCError) -> SubscriptionTableReading {
    let book = try book(context)
    var options = SubscriptionTableOptions(today: context.today)
    options.format = format
    options.scan = source.options
    let names = Set(book.subscriptions.map { $0.name.lowercased() })
    options.scan.names = KnownNames("name") { names.contains($0.trimmedCell.lowercased()) }
    options.unlisted = book.unlistedCurrencies
    options.currency = Currency(try context.settings().currency)
    options.home = context.locale.flatMap { AmountStyle(locale: $0) }?.home
    if let currency {
      options.currency = try SubscriptionsService.listedCurrency(currency, pointer: "/currency")
      options.isCurrencyNamed = true
    }
    return SubscriptionTableReading(options: options)
  }

  func subscriptionsExport(
    _ params: SubscriptionsExportParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<SubscriptionsExportResult> {
    if let path = params.path { try RPCError.checkAbsolute(path) }
    let (book, today) = (try completeBook(context), context.today)
    return Deferred { work throws(RPCError) in
      let export = try await TextExport.write(
        TableExport.subscriptions(today: today, hasMark: params.byteOrderMark ?? false), work, params.path,
        params.overwrite, of: { book.subscriptions }, row: { $0 })
      return SubscriptionsExportResult(
        rows: export.value, bytes: export.bytes, revision: book.revision, text: export.text)
    }
  }

  func subscriptionsExportCalendar(
    _ params: SubscriptionsExportCalendarParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<SubscriptionsExportCalendarResult> {
    if let path = params.path { try RPCError.checkAbsolute(path) }
    let (book, today, locale) = (try completeBook(context), context.today, context.locale)
    let year = CalendarSpan(1, .year)
    let from = params.from ?? today.advanced(back: year).month.lowerBound
    let last = from.advanced(by: CalendarSpan(SubscriptionsService.maximumFeedYears, .year))
    let to = params.to ?? min(max(today, from).advanced(by: year), last)
    let settings = try context.settings()
    let alarms = ChargeFeed.Alarms(today: today, leadDays: settings.reminderDays, time: settings.reminderTime)
    let isReminding = params.alarms ?? settings.notificationsEnabled
    let days = try RPCError.days(from, to, upTo: last)
    let (stamp, style) = (context.now, locale.flatMap { AmountStyle(locale: $0) } ?? .english)
    return Deferred { work throws(RPCError) in
      let export = try await TextExport.write(work, params.path, params.overwrite) {
        monitor, write throws(StoreError) in
        try TextExport.check(0, of: 1, monitor)
        let feed = ChargeFeed.feed(
          of: book.subscriptions, in: days, stamp: stamp, style: style, alarms: isReminding ? alarms : nil)
        let bytes = feed.bytes
        var at = 0
        while at < bytes.count {
          try TextExport.check(at, of: bytes.count, monitor)
          var end = min(at + TextExport.piece, bytes.count)
          // Only whole lines.
          if end < bytes.count, let line = bytes[at..<end].lastIndex(of: 0x0A) { end = line + 1 }
          try write(Array(bytes[at..<end]))
          at = end
        }
        return feed.events.count
      }
      return SubscriptionsExportCalendarResult(
        events: export.value, from: from, to: to, bytes: export.bytes, revision: book.revision, text: export.text)
    }
  }

  private static let maximumFeedYears = 10

  /// All subscriptions; throws when some cannot be read, as an export would lack them.
  private func completeBook(_ context: Context) throws(RPCError) -> SubscriptionBook {
    let book = try book(context)
    let missing = try context.snapshot().records(in: Subscription.collection).count - book.subscriptions.count
    guard missing == 0 else {
      throw RPCError(
        .storeUnavailable, "\(missing) subscriptions cannot be read and would be missing",
        hint: "a newer version of daybook may have written them; use that one")
    }
    return book
  }
}
