import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Subscriptions

extension Session {
  func budgetsAdd(_ params: BudgetsAddParams, _ call: inout Call) throws(RPCError) -> BudgetsAddResult {
    let now = now()
    let period = params.period ?? .monthly
    let usual = try settings().currency
    let budget = Budget(
      id: params.id ?? options.newID(), name: params.name, amount: params.amount,
      currency: params.currency ?? usual, period: period,
      anchor: params.anchor ?? (period == .monthly ? today.month : weekOf(today)).lowerBound, createdAt: now,
      updatedAt: now)
    try check(budget)
    let (stored, isNew, revision) = try create(budget, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.matches(params)
    }
    if isNew { call.afterwards { $0.planReminders() } }
    return BudgetsAddResult(budget: stored, created: isNew, revision: revision)
  }

  func budgetsUpdate(_ params: BudgetsUpdateParams, _ call: inout Call) throws(RPCError) -> BudgetsUpdateResult {
    let record = try record(of: Budget.self, params.id)
    let old = try decode(Budget.self, record)
    var new = old
    new.name = params.name.applied(to: old.name)
    new.amount = params.amount ?? old.amount
    new.currency = params.currency ?? old.currency
    new.period = params.period ?? old.period
    new.anchor = params.anchor ?? old.anchor
    try check(new, since: old)
    let (budget, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    if new != old { call.afterwards { $0.planReminders() } }
    return BudgetsUpdateResult(budget: budget, revision: revision)
  }

  func budgetsDelete(_ params: BudgetsDeleteParams, _ call: inout Call) throws(RPCError) -> BudgetsDeleteResult {
    let (budget, revision) = try delete(Budget.self, params.id, basedOn: params.revision, &call)
    call.afterwards { $0.planReminders() }
    return BudgetsDeleteResult(budget: budget, revision: revision)
  }

  func budgetsGet(_ params: BudgetsGetParams) throws(RPCError) -> BudgetsGetResult {
    let record = try record(of: Budget.self, params.id)
    return BudgetsGetResult(budget: fragment(record), revision: try revision())
  }

  func budgetsList(_ params: BudgetsListParams) throws(RPCError) -> BudgetsListResult {
    let page = try page(of: Budget.self, PageRequest(limit: params.limit, cursor: params.cursor))
    return BudgetsListResult(budgets: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }

  private func check(
    _ budget: Budget, since old: Budget? = nil
  ) throws(RPCError) {
    if budget.currency != old?.currency { _ = try Session.listedCurrency(budget.currency, pointer: "/currency") }
    if let problem = budget.ruleProblem { throw RPCError(problem) }
  }
}

extension Budget {
  /// Whether it has everything that a request to add it says.
  fileprivate func matches(_ params: BudgetsAddParams) -> Bool {
    (params.name == nil || params.name == name) && amount == params.amount
      && (params.currency == nil || params.currency == currency) && (params.period == nil || params.period == period)
      && (params.anchor == nil || params.anchor == anchor)
  }
}
