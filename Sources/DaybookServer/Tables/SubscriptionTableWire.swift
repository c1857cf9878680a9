import CivilTime
import DaybookProtocol
import SubscriptionTables
import Subscriptions
import Tables
import Values

extension DaybookProtocol.Subscription {
  /// A new subscription as the rules have it.
  init(_ plan: Subscriptions.Subscription, _ now: Instant) {
    self.init(
      id: plan.id, name: plan.name, category: DaybookProtocol.SubscriptionCategory(plan.category), prices: [],
      cycle: BillingCycle(plan.cycle), anchor: plan.anchor, start: plan.start, trialEnd: plan.trialEnd,
      contract: plan.contract.map { DaybookProtocol.Contract($0) }, paymentMethod: plan.paymentMethod, tags: plan.tags,
      notes: plan.notes, url: plan.url,
      usage: plan.usage.map { DaybookProtocol.UsageRating($0) }, reminderDays: plan.reminderDays, createdAt: now,
      updatedAt: now)
    take(plan)
  }

  /// Takes over what has become of a plan; what stayed keeps the very form that it has here.
  mutating func take(_ new: Subscriptions.Subscription, since old: Subscriptions.Subscription) {
    name = new.name
    if new.category != old.category { category = DaybookProtocol.SubscriptionCategory(new.category) }
    start = new.start
    trialEnd = new.trialEnd
    if new.contract != old.contract { contract = new.contract.map { DaybookProtocol.Contract($0) } }
    paymentMethod = new.paymentMethod
    tags = new.tags
    notes = new.notes
    url = new.url
    if new.usage != old.usage { usage = new.usage.map { DaybookProtocol.UsageRating($0) } }
    reminderDays = new.reminderDays
    take(new)
  }
}

extension DaybookProtocol.Contract {
  /// The same to a client.
  init(_ contract: Subscriptions.Contract) {
    self.init(end: contract.end)
    if contract.notice.count > 0 {
      notice = DaybookProtocol.CalendarSpan(
        count: contract.notice.count, unit: DaybookProtocol.CycleUnit(contract.notice.unit))
    }
    if case .every(let count, let unit)? = contract.renewal {
      renewal = DaybookProtocol.CalendarSpan(count: count, unit: DaybookProtocol.CycleUnit(unit))
    }
  }
}

extension DaybookProtocol.PayerShare {
  /// The same to a client; nil for all of it.
  init?(_ share: Subscriptions.PayerShare) {
    guard share != .whole else { return nil }
    self.init(numerator: Int(share.numerator), denominator: Int(share.denominator))
  }
}

extension DaybookProtocol.UsageRating {
  /// The same to a client.
  init(_ usage: Subscriptions.UsageRating) {
    self =
      switch usage {
      case .none: .none
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
  }
}

extension DaybookProtocol.SubscriptionTableFormat {
  /// A format as clients see it.
  init(_ format: SubscriptionTables.SubscriptionTableFormat) {
    self =
      switch format {
      case .daybook: .daybook
      case .subsum: .subsum
      case .wallos: .wallos
      case .subTrackr: .subTrackr
      case .other: .other
      }
  }
}

extension DaybookProtocol.TableSubscription {
  /// What a row says, as clients see it.
  init(_ row: SubscriptionTables.TableSubscription, today: CivilDay) {
    let plan = row.subscription
    self.init(
      name: plan.name, price: DaybookProtocol.Money(row.price),
      prices: plan.prices.changes.isEmpty ? nil : [SubscriptionPrice](plan.prices), cycle: BillingCycle(plan.cycle),
      category: DaybookProtocol.SubscriptionCategory(plan.category),
      status: DaybookProtocol.SubscriptionStatus(plan.status(on: today)), anchor: plan.anchor, start: plan.start,
      trialEnd: plan.trialEnd, end: plan.end,
      pauses: plan.pauses.isEmpty ? nil : plan.pauses.map { SubscriptionPause(from: $0.from, until: $0.until) },
      formerTerms: plan.formerTerms.isEmpty ? nil : plan.formerTerms.map { DaybookProtocol.FormerTerm($0) },
      contract: plan.contract.map { DaybookProtocol.Contract($0) }, share: DaybookProtocol.PayerShare(row.share),
      shares: plan.shares.changes.isEmpty ? nil : [SubscriptionShare](plan.shares),
      paymentMethod: plan.paymentMethod, tags: plan.tags.isEmpty ? nil : plan.tags, notes: plan.notes, url: plan.url,
      usage: plan.usage.map { DaybookProtocol.UsageRating($0) }, reminderDays: plan.reminderDays,
      marks: plan.marks.isEmpty ? nil : plan.marks.map { DaybookProtocol.ChargeMark($0) })
  }
}

extension SubscriptionRow {
  /// A row and what becomes of it, as clients see it.
  init(_ row: ImportedRow<SubscriptionContent>, _ outcome: TablePlan.Outcome, today: CivilDay) {
    self =
      switch outcome {
      case .new(let id): .init(row: row.number, outcome: .new, id: id)
      case .present(let id, _): .init(row: row.number, outcome: .present, id: id)
      case .different(let id, let names, _): .init(row: row.number, outcome: .different, id: id, differs: names)
      case .ignored: .init(row: row.number, outcome: .ignored)
      case .refused: .init(row: row.number, outcome: .refused)
      }
    if case .subscription(let content) = row.content {
      subscription = DaybookProtocol.TableSubscription(content, today: today)
    }
  }
}

extension SubscriptionsPreviewImportResult {
  /// A table and its plan, as clients see them.
  init(_ table: ImportedSubscriptions, _ plan: TablePlan, limit: Int, today: CivilDay, revision: Int) {
    self.init(
      format: DaybookProtocol.SubscriptionTableFormat(table.format), encoding: TableEncoding(table.encoding),
      delimiter: String(decoding: [table.delimiter], as: UTF8.self), dateFormat: TableDateFormat(table.style.order),
      decimalMark: TableDecimalMark(table.style.mark), columns: TableColumn.all(table.mapping), fields: table.fields,
      rows: table.read.list.count, new: plan.new, present: plan.present, different: plan.different,
      ignored: table.read.ignored, refused: table.read.refused,
      problems: table.read.problems.map { TableProblem($0) },
      first: zip(table.read.list, plan.outcomes).prefix(limit).map { SubscriptionRow($0, $1, today: today) },
      revision: revision)
  }
}
