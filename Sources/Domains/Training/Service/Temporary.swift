import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  func proposal(
    for exercise: PlannedExercise, workoutId: EntityID?, program: Program, _ context: Context
  ) throws(RPCError) -> ProgressionProposal? { nil }
  func progressionOperations(
    after session: WorkoutSession, _ context: Context
  ) throws(RPCError) -> [Operation] { [] }
  func newRecords(of session: WorkoutSession, _ context: Context) throws(RPCError) -> [TrainingRecord] { [] }
  func energyOperations(_ session: inout WorkoutSession, _ context: Context) throws(RPCError) -> [Operation] { [] }
  func bodyWeight(_ context: Context) throws(RPCError) -> Decimal? { nil }
}
