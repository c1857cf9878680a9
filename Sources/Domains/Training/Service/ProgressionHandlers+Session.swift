import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Values

extension TrainingService {
  /// What is proposed for an exercise of a plan; nil for nothing.
  func proposal(
    for exercise: PlannedExercise, workoutId: EntityID?, program: Program, _ context: Context
  ) throws(RPCError) -> ProgressionProposal? { nil }

  /// What is remembered of progression after a session that is about to be stored.
  func progressionOperations(
    after session: WorkoutSession, _ context: Context
  ) throws(RPCError) -> [Operation] { [] }
}
