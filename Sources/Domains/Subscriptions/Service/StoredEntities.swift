import DomainKit
import Subscriptions

extension SubscriptionsService {
  package static let migrations = [
    RecordMigrations.Steps(Subscription.collection, RecordMigration("one-note", renaming: "notes", to: "note"))
  ]
}

extension Budget: UpdatableEntity {
  package static func made(
    from params: BudgetsAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> Budget {
    let period = params.period ?? .monthly
    let usual = period == .monthly ? context.today.month : context.today.week(from: context.firstWeekday.index)
    let currency = try context.settings().currency
    let budget = Budget(
      id: id, name: params.name, amount: params.amount, currency: params.currency ?? currency,
      period: period, anchor: params.anchor ?? usual.lowerBound, createdAt: context.now, updatedAt: context.now)
    try budget.check(since: nil)
    return budget
  }

  package mutating func apply(_ params: BudgetsUpdateParams) throws(RPCError) {
    let old = self
    patch(params)
    try check(since: old)
  }

  private func check(since old: Budget?) throws(RPCError) {
    if currency != old?.currency { _ = try SubscriptionsService.listedCurrency(currency, pointer: "/currency") }
    if let problem = ruleProblem { throw RPCError(problem) }
  }
}

extension SubscriptionsService {
  /// The budgets, or one of them, in the order they were created, then by id.
  func budgets(_ id: EntityID?, _ context: Context) throws(RPCError) -> [Budget] {
    if let id { return [try context.entity(Budget.self, id, pointer: "/budgetId")] }
    let records = try context.snapshot().records(in: Budget.collection)
    return try records.map { record throws(RPCError) in try context.decode(Budget.self, record) }
      .sorted { $0.createdAt != $1.createdAt ? $0.createdAt < $1.createdAt : $0.id < $1.id }
  }
}

// Checks of stored entities from any source.

extension ExchangeRates: CheckedEntity {
  /// Why the rates cannot be used.
  package var problem: Refusal? {
    guard rates[base] == nil else { return Refusal("/body/rates/\(base)", "the base has no rate") }
    do throws(Refusal) {
      _ = try RateTable(typedBase: base, date: date, rates: rates)
      return nil
    } catch { return error.inside("/body") }
  }
}

extension Subscription: CheckedEntity {
  /// Why a rule forbids it. Invisible names are refused for new subscriptions only: earlier versions accepted them.
  package var problem: Refusal? {
    SubscriptionRules.refusals(of: self).first { $0.pointer != "/name" || name.allSatisfy(\.isWhitespace) }
      .map { Refusal("/body" + $0.pointer, "\($0.message); allowed: \($0.allowed)") }
  }
}

extension Budget {
  package var problem: Refusal? { ruleProblem?.inside("/body") }
}
