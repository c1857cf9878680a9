import DaybookProtocol
import Subscriptions
import Tables

/// Makes subscriptions from the rows of a table.
struct SubscriptionDrafts: RowDrafts {
  private let format: SubscriptionTableFormat
  let options: SubscriptionTableOptions
  /// The currency in brackets in the header of the amounts.
  let columnCurrency: Currency?
  let mapping: ColumnMapping
  /// Whether rows without a currency have different ones, which the table only numbers.
  let hasNumberedCurrencies: Bool
  private var totals: SubscriptionTotals
  private var keys = RowKeys()

  var isOurs: Bool { format == .daybook }

  init(_ known: KnownSubscriptionTable, _ scanned: ScannedTable, _ options: SubscriptionTableOptions) {
    format = known.format
    self.options = options
    mapping = scanned.mapping
    columnCurrency = mapping.header(of: "amount")?.unit.flatMap {
      CurrencyText.currency($0, preferred: options.preferred)
    }
    totals = known.format == .daybook ? SubscriptionTotals() : SubscriptionTotals(scanned)
    var numbers: Set<String> = []
    if mapping.columns["currencyId"] != nil {
      for row in scanned.wholeRows {
        if let number = scanned.reader(row).raw("currencyId") { numbers.insert(number) }
      }
    }
    hasNumberedCurrencies = numbers.count > 1
  }

  /// Reads a row; problems go to the reader.
  mutating func draft(_ reader: inout RowReader) -> ImportedRow<SubscriptionDraft> {
    if (isOurs ? reader.trimmed("name") : reader.raw("name")) == nil, reader.raw("amount") == nil {
      return ImportedRow(number: reader.row, content: .ignored)
    }
    if totals.isTotal(reader) {
      reader.ignore(.total)
      return ImportedRow(number: reader.row, content: .ignored)
    }
    let id = isOurs ? reader.id("id") : nil
    guard let row = row(&reader, kept: id.flatMap { options.unlisted[$0] } ?? []), reader.problems.isEmpty else {
      return ImportedRow(number: reader.row, content: .refused)
    }
    let subscription = row.subscription
    let key = [
      NameFolding.fold(subscription.name), subscription.prices.last?.currency ?? "", subscription.cycle.cellText,
    ]
    return keys.row(row, id: id, key: key, of: ["subscriptions"], &reader)
  }

  private func row(_ reader: inout RowReader, kept: Set<Currency>) -> SubscriptionDraft? {
    let name = self.name(&reader)
    let price = self.price(&reader, kept: kept)
    let cycle = self.cycle(&reader)
    // The members that depend on the whole row follow below.
    let (today, never) = (options.today, Instant(milliseconds: 0))
    var subscription = Subscription(
      id: EntityID(high: 0, low: 0), name: "", category: category(&reader), prices: [], cycle: .monthly, anchor: today,
      start: today, createdAt: never, updatedAt: never)
    let status = self.status(&reader)
    let days = RowDays(
      nextCharge: reader.day("nextCharge", isRequired: false), start: reader.day("start", isRequired: false),
      anchor: reader.day("anchor", isRequired: false), trialEnd: reader.day("trialEnd", isRequired: false),
      end: reader.day("end", isRequired: false))
    subscription.contract = contract(&reader)
    readTexts(&reader, into: &subscription)
    let share = self.share(&reader)
    (subscription.usage, subscription.reminderDays) = (usage(&reader), self.reminderDays(&reader))
    let history = self.history(&reader, kept: kept)
    readPeople(&reader, into: &subscription)
    guard let name, let price, let cycle, reader.problems.isEmpty else { return nil }
    compare(history, price, share, cycle, days, &reader)
    let covered = self.covered(reader)
    let statedStatus = usesStatus(status, covered, history) ? status : nil
    if statedStatus == .trial, days.trialEnd == nil, days.nextCharge == nil {
      reader.refuse(
        .contradiction, "status", "the end of the trial is not stated",
        allowed: "a day on which the trial ends, or a next charge, beside “trial”")
      return nil
    }
    (subscription.name, subscription.prices, subscription.cycle) = (name, [priced(price, &reader)], cycle)
    days.apply(to: &subscription, statedStatus, today: today)
    subscription.shares = [SubscriptionShare(share)]
    subscription.tidy()
    history.apply(to: &subscription, hasStart: days.start != nil)
    guard reader.problems.isEmpty, check(subscription, &reader) else { return nil }
    compareWritten(subscription, history, price, share, cycle, days, &reader)
    return SubscriptionDraft(
      subscription: subscription, price: history.prices == nil ? price : subscription.price(on: today),
      share: history.shares == nil ? share : subscription.share(on: today),
      covered: statedStatus == nil ? covered : covered.union([.status]), status: statedStatus)
  }

  /// Whether the status of a row counts. In our own table it is for people: it follows from the days in other columns,
  /// except that a missing list of pauses says nothing.
  private func usesStatus(_ status: SubscriptionStatus?, _ covered: Set<CoveredMember>, _ history: RowHistory) -> Bool {
    guard isOurs, covered.contains(.end) else { return true }
    return status == .paused && history.pauses == nil
  }

  /// The members that the row covers. In our own table an empty cell means no value; in others it means nothing.
  private func covered(_ reader: RowReader) -> Set<CoveredMember> {
    var covered = Set(
      CoveredMember.allCases.filter { member in
        member.fields.contains { isOurs ? mapping.columns[$0] != nil : reader.raw($0) != nil }
          && !(member.ignoresEmptyCell && reader.raw(member.rawValue) == nil)
      })
    // In our own table the status follows from days.
    if isOurs, covered.contains(.end) { covered.remove(.status) }
    if covered.contains(.shares) { covered.remove(.share) }
    if covered.contains(.terms) { covered.subtract([.cycle, .anchor, .nextCharge]) }
    // The next charge follows from the anchor.
    if covered.contains(.anchor) { covered.remove(.nextCharge) }
    return covered
  }

  /// Checks a subscription by the rules for all subscriptions; whether it passes.
  private func check(_ subscription: Subscription, _ reader: inout RowReader) -> Bool {
    for problem in SubscriptionRules.refusals(of: subscription).prefix(TableProblem.mostTold) {
      reader.refuse(
        TableProblemKind(problem.rule), field(problem.pointer, reader), problem.message, allowed: problem.allowed)
    }
    return reader.problems.isEmpty
  }

  /// The field of the member at a pointer.
  private func field(_ pointer: String, _ reader: RowReader) -> String {
    let parts = pointer.split(separator: "/").map(String.init)
    switch parts.first {
    case "prices" where parts.count > 1 && parts[1] == "0" && reader.raw("prices") == nil: return "amount"
    case "formerTerms": return "cycles"
    case "cycle" where reader.raw("cycles") != nil, "anchor" where reader.raw("cycles") != nil: return "cycles"
    case "marks": return "charges"
    case "cycle" where mapping.columns["rule"] != nil && parts.count > 1 && !["every", "unit"].contains(parts[1]):
      return "rule"
    case "cycle": return isOurs || mapping.columns["every"] != nil ? "every" : "cycle"
    case "contract": return parts.dropFirst().first == "end" ? "contractEnd" : "renewal"
    case "anchor": return mapping.columns["anchor"] != nil ? "anchor" : "nextCharge"
    case let name?: return name
    case nil: return "name"
    }
  }
}
