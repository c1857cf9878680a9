import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func trainingCalendar(
    _ params: TrainingCalendarParams, _ context: inout Context
  ) throws(RPCError) -> TrainingCalendarResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionsAmend(
    _ params: WorkoutSessionsAmendParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsAmendResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionsDelete(
    _ params: WorkoutSessionsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsDeleteResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionsVersions(
    _ params: WorkoutSessionsVersionsParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsVersionsResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionsToWorkout(
    _ params: WorkoutSessionsToWorkoutParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionsToWorkoutResult {
    throw RPCError(.internalError, "not built yet")
  }
}
