import DaybookProtocol
import DomainKit
import JSONRPC
import Values

extension TrainingService {
  /// Makes exercises of the running session a superset, or takes them out of theirs where none is given. Answers how many changed.
  func runningSuperset(
    _ ids: [EntityID], _ superset: EntityID?, _ context: inout Context
  ) throws(RPCError) -> Int {
    throw RPCError(.internalError, "not built yet")
  }
}
