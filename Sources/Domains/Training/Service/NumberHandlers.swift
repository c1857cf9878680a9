import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func trainingOverview(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> TrainingOverviewResult {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingRecords(
    _ params: TrainingRecordsParams, _ context: inout Context
  ) throws(RPCError) -> TrainingRecordsResult {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingExercise(
    _ params: TrainingExerciseParams, _ context: inout Context
  ) throws(RPCError) -> TrainingExerciseResult {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingExercises(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> TrainingExercisesResult {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingSeries(
    _ params: TrainingSeriesParams, _ context: inout Context
  ) throws(RPCError) -> TrainingSeriesResult {
    throw RPCError(.internalError, "not built yet")
  }
}
