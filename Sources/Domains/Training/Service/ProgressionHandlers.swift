import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func progressionPropose(
    _ params: ProgressionProposeParams, _ context: inout Context
  ) throws(RPCError) -> ProgressionProposeResult {
    throw RPCError(.internalError, "not built yet")
  }

  func progressionHealth(
    _ params: ProgressionHealthParams, _ context: inout Context
  ) throws(RPCError) -> ProgressionHealthResult {
    throw RPCError(.internalError, "not built yet")
  }
}
