import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC

extension TrainingService {
  /// What a new session burned is told by it, and what is stored of that.
  func energyOperations(
    _ session: inout WorkoutSession, _ context: Context
  ) throws(RPCError) -> [Operation] { [] }
}
