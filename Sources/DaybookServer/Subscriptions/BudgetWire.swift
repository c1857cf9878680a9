import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Subscriptions

extension DaybookProtocol.Budget {
  /// What is wrong with it though each member has its form; nil when nothing is.
  var rulesProblem: SubscriptionProblem? {
    guard let currency = Currency(currency) else {
      return SubscriptionProblem(
        "/currency", .form, "this is no code of a currency", allowed: "three capital letters of ISO 4217, such as EUR")
    }
    // The rules are the same whatever the period: one of a later version is none of theirs.
    return Subscriptions.Budget(
      id: id, limit: Subscriptions.Money(amount, currency), period: .monthly, anchor: anchor
    ).problems.first
  }
}

extension Subscriptions.Budget {
  /// What rules are told of a stored budget; nil when it has a period of a later version.
  init?(_ budget: DaybookProtocol.Budget) {
    guard let currency = Currency(budget.currency), let period = Period(rawValue: budget.period.rawValue) else {
      return nil
    }
    self.init(
      id: budget.id, limit: Subscriptions.Money(budget.amount, currency), period: period, anchor: budget.anchor)
  }
}

extension DaybookProtocol.BudgetStatus {
  /// How a budget stands in a period, to a client, seen from today.
  init(
    _ status: Subscriptions.BudgetStatus, of stored: DaybookProtocol.Budget, _ budget: Subscriptions.Budget,
    _ book: SubscriptionBook, today: CivilDay
  ) {
    let (first, last) = (status.days.lowerBound, status.days.upperBound)
    let allowed = CivilDay.allowed
    self.init(
      budget: budget.id, name: stored.name, limit: DaybookProtocol.Money(budget.limit), period: stored.period,
      from: first, to: last, spent: DaybookProtocol.Money(status.spent),
      committed: DaybookProtocol.Money(status.committed), remaining: DaybookProtocol.Money(status.remaining),
      percentage: status.percentage, standing: DaybookProtocol.BudgetStanding(status.standing),
      crossing: status.crossing.flatMap { book.wire([$0], today: today).first },
      uncounted: status.uncounted.map(\.code),
      previous: first > allowed.lowerBound ? budget.days(around: first.advanced(by: -1)).lowerBound : nil,
      next: last < allowed.upperBound ? last.advanced(by: 1) : nil)
  }
}

extension DaybookProtocol.BudgetStanding {
  fileprivate init(_ standing: Subscriptions.BudgetStanding) {
    switch standing {
    case .within: self = .within
    case .near: self = .near
    case .over: self = .over
    }
  }
}
