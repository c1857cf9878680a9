import CivilTime
import DaybookProtocol
import Subscriptions
import Tables
import Values

/// Makes subscriptions out of the rows of a table.
struct SubscriptionDrafts: RowDrafts {
  private let format: SubscriptionTableFormat
  let options: SubscriptionTableOptions
  /// The currency in the brackets of the amounts' header.
  let columnCurrency: Currency?
  /// Which fields have a column.
  let mapping: ColumnMapping
  private var keys = RowKeys()

  var isOurs: Bool { format == .daybook }

  init(_ known: KnownSubscriptionTable, _ scanned: ScannedTable, _ options: SubscriptionTableOptions) {
    format = known.format
    self.options = options
    mapping = scanned.mapping
    columnCurrency = mapping.header(of: "amount")?.unit.flatMap { CurrencyText.currency($0, usual: options.usual) }
  }

  /// What a row comes to; what is wrong with it is noted in the reader.
  mutating func draft(_ reader: inout RowReader) -> ImportedRow<SubscriptionDraft> {
    if reader.raw("name") == nil, reader.raw("amount") == nil {
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
    let category = self.category(&reader)
    let status = self.status(&reader)
    let days = RowDays(
      nextCharge: reader.day("nextCharge", isRequired: false), start: reader.day("start", isRequired: false),
      anchor: reader.day("anchor", isRequired: false), trialEnd: reader.day("trialEnd", isRequired: false),
      end: reader.day("end", isRequired: false))
    let contract = self.contract(&reader)
    let texts = self.texts(&reader)
    let (share, usage, reminderDays) = (self.share(&reader), self.usage(&reader), self.reminderDays(&reader))
    let history = self.history(&reader, kept: kept)
    let people = self.people(&reader)
    guard let name, let price, let cycle, reader.problems.isEmpty else { return nil }
    compare(history, price, share, cycle, days, &reader)
    let said = self.said(reader)
    let telling = isTold(status, said, history) ? status : nil
    if telling == .trial, days.trialEnd == nil, days.nextCharge == nil {
      reader.refuse(
        .contradiction, "status", "nothing says when the trial ends",
        allowed: "a day on which the trial ends, or a next charge, beside “trial”")
      return nil
    }
    let plan = days.plan(cycle, telling, today: options.today)
    var subscription = Subscription(
      id: EntityID(high: 0, low: 0), name: name, category: category, prices: [priced(price, &reader)],
      cycle: cycle, anchor: plan.anchor, start: plan.start, trialEnd: plan.trialEnd, end: plan.end,
      pauses: plan.pauses, contract: contract, shares: [SubscriptionShare(share)],
      paymentMethod: texts.paymentMethod, tags: texts.tags, note: texts.note, url: texts.url, usage: usage,
      reminderDays: reminderDays, marks: plan.marks, createdAt: Instant(milliseconds: 0),
      updatedAt: Instant(milliseconds: 0))
    (subscription.ownCategory, subscription.paidBy) = (people.ownCategory, people.paidBy)
    (subscription.household, subscription.cancelBy) = (people.household, people.cancelBy)
    subscription.replacedById = people.replacedById
    subscription.tidy()
    history.apply(to: &subscription, hasStart: days.start != nil)
    guard reader.problems.isEmpty, check(subscription, &reader) else { return nil }
    compareWritten(subscription, history, price, share, cycle, days, &reader)
    return SubscriptionDraft(
      subscription: subscription, price: history.prices == nil ? price : subscription.price(on: options.today),
      share: history.shares == nil ? share : subscription.share(on: options.today),
      covered: telling == nil ? said : said.union([.status]), status: telling)
  }

  /// Whether the state that a row says counts: in a table of our own it is there for people, and follows from the days in other
  /// columns as far as those say something. An empty list of pauses does not.
  private func isTold(_ status: SubscriptionStatus?, _ said: Set<CoveredMember>, _ history: RowHistory) -> Bool {
    guard isOurs, said.contains(.end) else { return true }
    return status == .paused && history.pauses == nil
  }

  /// What the row speaks of. In a table of our own an empty cell says that there is none; in others it says nothing.
  private func said(_ reader: RowReader) -> Set<CoveredMember> {
    var said: Set<CoveredMember> = []
    for (field, member) in SubscriptionDrafts.members {
      if isOurs ? mapping.columns[field] != nil : reader.raw(field) != nil { said.insert(member) }
    }
    // A cell that has to have a day says nothing without one, and neither does an empty list of what was and will be.
    for (field, member) in SubscriptionDrafts.silent where reader.raw(field) == nil { said.remove(member) }
    // What we call the state of something follows from days.
    if isOurs, said.contains(.end) { said.remove(.status) }
    if said.contains(.shares) { said.remove(.share) }
    if said.contains(.terms) { said.subtract([.cycle, .anchor, .nextCharge]) }
    // And so does the next charge from the anchor.
    if said.contains(.anchor) { said.remove(.nextCharge) }
    return said
  }

  private static let members: [(String, CoveredMember)] = [
    ("unit", .cycle), ("cycle", .cycle), ("anchor", .anchor), ("nextCharge", .nextCharge), ("category", .category),
    ("start", .start), ("trialEnd", .trialEnd), ("end", .end), ("status", .status), ("contractEnd", .contract),
    ("share", .share), ("paymentMethod", .paymentMethod), ("tags", .tags), ("note", .note), ("url", .url),
    ("usage", .usage), ("reminderDays", .reminderDays), ("prices", .prices), ("cycles", .terms), ("pauses", .pauses),
    ("charges", .marks), ("shares", .shares), ("rule", .cycle), ("ownCategory", .ownCategory),
    ("paidBy", .paidBy), ("household", .household), ("cancelBy", .cancelBy), ("replacedById", .replacedById),
  ]

  /// Those of which an empty cell does not say that there is none.
  private static let silent: [(String, CoveredMember)] = [
    ("anchor", .anchor), ("nextCharge", .nextCharge), ("start", .start), ("prices", .prices), ("cycles", .terms),
    ("pauses", .pauses), ("charges", .marks), ("shares", .shares),
  ]

  /// Holds a subscription to the rules that all of them have.
  private func check(_ subscription: Subscription, _ reader: inout RowReader) -> Bool {
    for problem in SubscriptionRules.refusals(of: subscription).prefix(TableProblem.mostTold) {
      reader.refuse(
        TableProblemKind(problem.rule), field(problem.pointer, reader), problem.message, allowed: problem.allowed)
    }
    return reader.problems.isEmpty
  }

  /// The field of a member.
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
