import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Subscriptions
import Values

// What the rules say of stored entities, wherever they come from.

extension ExchangeRates: CheckedEntity {
  /// Exchange rates that could not have been set.
  package var problem: EntityProblem? {
    guard rates[base] == nil else { return EntityProblem("/body/rates/\(base)", "the base has no rate") }
    do throws(SubscriptionProblem) {
      _ = try RateTable(typedBase: base, date: date, rates: rates)
      return nil
    } catch { return EntityProblem("/body" + error.pointer, error.message) }
  }
}

extension Subscription: CheckedEntity {
  /// A subscription that no rule allows.
  package var problem: EntityProblem? {
    SubscriptionProblem.all(in: self).first
      .map { EntityProblem("/body" + $0.pointer, "\($0.message); allowed: \($0.allowed)") }
  }
}

extension Budget {
  /// A budget that leaves nothing to spend, or is of no currency.
  package var problem: EntityProblem? {
    let problem: SubscriptionProblem? = ruleProblem
    return problem.map { EntityProblem("/body" + $0.pointer, $0.message) }
  }
}
