import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Subscriptions
import Values

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
  /// The budgets, or one, in the order they were set, those of one instant by id.
  func budgets(_ id: EntityID?, _ context: Context) throws(RPCError) -> [Budget] {
    if let id { return [try context.decode(Budget.self, context.record(of: Budget.self, id, pointer: "/budgetId"))] }
    let records = try context.snapshot().records(in: Budget.collection)
    return try records.map { record throws(RPCError) in try context.decode(Budget.self, record) }
      .sorted { $0.createdAt != $1.createdAt ? $0.createdAt < $1.createdAt : $0.id < $1.id }
  }
}
