import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Subscriptions
import Values

// What the rules say of stored entities, wherever they come from.

extension ExchangeRates: CheckedEntity {
  /// Exchange rates that could not have been set.
  package var problem: Refusal? {
    guard rates[base] == nil else { return Refusal("/body/rates/\(base)", "the base has no rate") }
    do throws(Refusal) {
      _ = try RateTable(typedBase: base, date: date, rates: rates)
      return nil
    } catch { return error.inside("/body") }
  }
}

extension Subscription: CheckedEntity {
  /// A subscription that no rule allows. A name that cannot be seen is none only for new ones: earlier versions took it.
  package var problem: Refusal? {
    SubscriptionRules.refusals(of: self).first { $0.pointer != "/name" || name.allSatisfy(\.isWhitespace) }
      .map { Refusal("/body" + $0.pointer, "\($0.message); allowed: \($0.allowed)") }
  }
}

extension Budget {
  /// A budget that leaves nothing to spend, or is of no currency.
  package var problem: Refusal? {
    ruleProblem?.inside("/body")
  }
}
