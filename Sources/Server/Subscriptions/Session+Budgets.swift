import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Subscriptions
import Values

extension Session {
  /// The budgets, or one, in the order they were set, those of one instant by id.
  func budgets(_ id: EntityID? = nil) throws(RPCError) -> [Budget] {
    if let id { return [try decode(Budget.self, record(of: Budget.self, id, pointer: "/budgetId"))] }
    let records = try snapshot().records(in: Budget.collection)
    return try records.map { record throws(RPCError) in try decode(Budget.self, record) }
      .sorted { $0.createdAt != $1.createdAt ? $0.createdAt < $1.createdAt : $0.id < $1.id }
  }

  /// The budgets to warn of, with the rates that other currencies count by: none without premium, as how they stand is not told
  /// then either, nor while the store cannot be read.
  func budgetsToWarnOf() -> (budgets: [Budget], rates: RateTable?) {
    guard hasPremiumAccess, let budgets = try? budgets() else { return ([], nil) }
    return (budgets, (try? rateTable()) ?? nil)
  }
}
