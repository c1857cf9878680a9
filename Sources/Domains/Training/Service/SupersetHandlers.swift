import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func supersetsMake(
    _ params: SupersetsMakeParams, _ context: inout Context
  ) throws(RPCError) -> SupersetsMakeResult {
    throw RPCError(.internalError, "not built yet")
  }

  func supersetsBreak(
    _ params: SupersetsBreakParams, _ context: inout Context
  ) throws(RPCError) -> SupersetsBreakResult {
    throw RPCError(.internalError, "not built yet")
  }
}
