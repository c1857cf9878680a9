import CivilTime
import DaybookProtocol
import JSONRPC
import Subscriptions
import Values

extension DaybookProtocol.Subscription {
  /// What it says to the rules, once all of them hold.
  ///
  /// - Throws: the first thing that is wrong with it, with the pointer of its wire form.
  func checkedPlan() throws(SubscriptionProblem) -> Subscriptions.Subscription {
    let plan = try Subscriptions.Subscription(self)
    if let problem = SubscriptionProblem.all(in: plan).first { throw problem.ofWire }
    return plan
  }

  /// Refuses a currency that was not there before and that ISO 4217 does not list.
  func checkCurrencies(since old: DaybookProtocol.Subscription?) throws(SubscriptionProblem) {
    let known = Set(old?.prices.map(\.currency) ?? [])
    for (index, price) in prices.enumerated() where !known.contains(price.currency) {
      _ = try Subscriptions.Currency(listed: price.currency, pointer: "/prices/\(index)/currency")
    }
  }
}

extension SubscriptionProblem {
  /// The same with the pointer that the member has on the wire.
  var ofWire: SubscriptionProblem { at(SubscriptionProblem.wirePointer(pointer)) }

  /// The same at another place.
  func at(_ pointer: String) -> SubscriptionProblem {
    SubscriptionProblem(pointer, rule, message, allowed: allowed)
  }

  /// Where a member of the rules' form stands on the wire.
  private static func wirePointer(_ pointer: String) -> String {
    var parts = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    switch (parts.first, parts.last) {
    case ("amount", _), ("currency", _): parts = ["prices", "0", parts[0]]
    case ("priceHistory", _), ("shareHistory", _):
      parts[0] = parts[0] == "priceHistory" ? "prices" : "shares"
      if parts.count > 1, let index = Int(parts[1]) { parts[1] = "\(index + 1)" }
    case ("marks", "day"?): parts = parts.dropLast(2) + ["paidOn"]
    case ("marks", "amount"?): parts = parts.dropLast(2) + ["paidAmount"]
    case ("marks", "payment"?): parts = parts.dropLast() + ["paidOn"]
    case ("contract", "every"?): parts = ["contract", "renewal", "count"]
    default: break
    }
    return parts.map { "/\($0)" }.joined()
  }
}

extension RPCError {
  /// Something that no rule allows, to the client that asked for it.
  init(_ problem: SubscriptionProblem, hint: String? = nil) {
    self.init(.invalidParams, problem.message, pointer: problem.pointer, allowed: problem.allowed, hint: hint)
  }
}
