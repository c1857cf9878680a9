import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  func trainingSettings(_ context: Context) throws(RPCError) -> TrainingSettings {
    TrainingSettings(
      weightUnit: .kg, distanceUnit: .km, restSeconds: 90, startsRest: true, oneRepMax: .brzycki, prefill: .target,
      bar: Decimal(20), plates: [], logsEnergy: true)
  }
  func libraryExercise(_ id: EntityID, _ context: Context) throws(RPCError) -> LibraryExercise? { nil }
  func resolvedParts(
    of workout: Workout, _ context: Context
  ) throws(RPCError) -> (parts: [(module: Module?, exercises: [PlannedExercise])], missing: [EntityID]) { ([], []) }
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
