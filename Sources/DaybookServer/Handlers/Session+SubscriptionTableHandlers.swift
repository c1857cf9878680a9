import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import SubscriptionTables
import Subscriptions
import Tables
import Values

/// What those requests have in common that read a table of subscriptions.
private protocol SubscriptionTableParams: TableParams {
  var format: DaybookProtocol.SubscriptionTableFormat? { get }
  var currency: String? { get }
}

extension SubscriptionsPreviewImportParams: SubscriptionTableParams {}
extension SubscriptionsImportParams: SubscriptionTableParams {}

extension Session {
  nonisolated func subscriptionsPreviewImport(
    _ params: SubscriptionsPreviewImportParams, _ work: HeavyWork
  ) async throws(RPCError) -> SubscriptionsPreviewImportResult {
    let source = try TableSource(params)
    let known = try await known()
    let options = try await options(params, source, known.book)
    let (limit, configuration) = (params.limit ?? Session.shownRows, folderConfiguration)
    let outcome = try await work.onThread("Reading") {
      monitor throws(StoreError) -> Result<SubscriptionsPreviewImportResult, RPCError> in
      switch try Session.read(source, options, configuration, monitor) {
      case .success(let table):
        let plan = try self.plan(table, known.book, known.snapshot, today: options.today, monitor).plan
        return .success(
          SubscriptionsPreviewImportResult(
            table, plan, limit: limit, today: options.today, revision: known.snapshot.revision))
      case .failure(let refusal): return .failure(Session.refused(refusal))
      }
    }
    return try outcome.get()
  }

  nonisolated func subscriptionsImport(
    _ params: SubscriptionsImportParams, _ work: HeavyWork
  ) async throws(RPCError) -> SubscriptionsImportResult {
    let source = try TableSource(params)
    // What is changed from here on is newer than what the import makes of it, and stays.
    let now = now()
    let (known, author) = (try await known(), await author)
    let options = try await options(params, source, known.book)
    let (skips, replaces) = (params.onProblem == .skip, params.onDifferent == .replace)
    let ready = tableConfiguration(.subscriptionsImport)
    let outcome = try await work.onThread("Importing") {
      monitor throws(StoreError) -> Result<SubscriptionsImportResult, RPCError> in
      let table: ImportedSubscriptions
      switch try Session.read(source, options, ready, monitor) {
      case .success(let read): table = read
      case .failure(let refusal): return .failure(Session.refused(refusal))
      }
      if !skips, let problem = table.read.problems.first {
        return .failure(RPCError(problem, more: table.read.refused - 1, preview: .subscriptionsPreviewImport))
      }
      let plan = try self.plan(table, known.book, known.snapshot, today: options.today, monitor)
      let lines: [UInt8]
      do throws(RPCError) {
        lines = try self.lines(
          table, plan, known.book, known.snapshot, replaces: replaces, skips: skips, today: options.today, now,
          monitor)
      } catch { return .failure(error) }
      let summary = try FileStore.importRecords(
        .lines(lines), .merge, ready, author: author, check: { StoredForms.problem($0) }, monitor.part(50...100))
      return .success(SubscriptionsImportResult(table, plan.plan, summary))
    }
    let result = try outcome.get()
    if result.changed, result.undoable { await own(result.revision) }
    return result
  }

  /// All subscriptions there are, and the snapshot that they are of.
  private func known() throws(RPCError) -> (book: SubscriptionBook, snapshot: Snapshot) {
    (try subscriptionBook(), try snapshot())
  }

  private func options(
    _ params: some SubscriptionTableParams, _ source: TableSource, _ book: SubscriptionBook
  ) throws(RPCError) -> SubscriptionTableOptions {
    var options = SubscriptionTableOptions(today: today)
    options.format = params.format.flatMap { SubscriptionTables.SubscriptionTableFormat(rawValue: $0.rawValue) }
    options.scan = source.options
    options.unlisted = book.unlistedCurrencies
    options.currency = Currency(presentSettings.currency)
    if let code = params.currency {
      options.currency = try Session.listedCurrency(code, pointer: "/currency")
    }
    return options
  }

  private static func read(
    _ source: TableSource, _ options: SubscriptionTableOptions, _ configuration: FileStore.Configuration,
    _ monitor: WorkMonitor
  ) throws(StoreError) -> Result<ImportedSubscriptions, TableRefusal> {
    try source.read(configuration, monitor) { bytes, limits, goesOn throws(TableRefusal) in
      try SubscriptionTableImport.read(bytes, options, limits: limits, goesOn: goesOn)
    }
  }

  private static func refused(_ refusal: TableRefusal) -> RPCError {
    RPCError(refusal, wanted: "a name and an amount", example: "name")
  }
}

extension SubscriptionsImportResult {
  /// What an import has come to. Between the plan and the lock somebody else may have been faster.
  fileprivate init(_ table: ImportedSubscriptions, _ plan: TablePlan, _ summary: ImportSummary) {
    let counts = summary.collections.first { $0.collection == DaybookProtocol.Subscription.collection }
    let (added, replaced, same) = (counts?.added ?? 0, counts?.updated ?? 0, counts?.same ?? 0)
    self.init(
      format: DaybookProtocol.SubscriptionTableFormat(table.format), rows: table.read.list.count, added: added,
      replaced: replaced, present: plan.present + same,
      different: plan.new + plan.different - added - replaced - same, ignored: table.read.ignored,
      refused: table.read.refused, problems: table.read.problems.map { TableProblem($0) }, changed: summary.isChanged,
      undoable: summary.isUndoable, backup: summary.backup?.description, revision: summary.revision)
  }
}
