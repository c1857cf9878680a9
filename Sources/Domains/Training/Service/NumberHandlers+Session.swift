import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  /// The records that a session sets, whether it is stored already or not.
  func newRecords(of session: WorkoutSession, _ context: Context) throws(RPCError) -> [TrainingRecord] { [] }
}
