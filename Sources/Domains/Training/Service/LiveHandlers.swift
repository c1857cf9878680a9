import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func workoutSessionStart(
    _ params: WorkoutSessionStartParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionState {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionGet(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionGetResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionClaim(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionLogSet(
    _ params: WorkoutSessionLogSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionUncheckSet(
    _ params: WorkoutSessionUncheckSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionAddSet(
    _ params: WorkoutSessionAddSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionDeleteSet(
    _ params: WorkoutSessionDeleteSetParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionAddExercise(
    _ params: WorkoutSessionAddExerciseParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionAddModule(
    _ params: WorkoutSessionAddModuleParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionDeleteExercise(
    _ params: WorkoutSessionDeleteExerciseParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionReorder(
    _ params: WorkoutSessionReorderParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionEditExercise(
    _ params: WorkoutSessionEditExerciseParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionSkipModule(
    _ params: WorkoutSessionSkipModuleParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionGoTo(
    _ params: WorkoutSessionGoToParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionStartTimer(
    _ params: WorkoutSessionStartTimerParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionChangeTimer(
    _ params: WorkoutSessionChangeTimerParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionUpdate(
    _ params: WorkoutSessionUpdateParams, _ context: inout Context
  ) throws(RPCError) -> SessionUpdate {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionChanges(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionChangesResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionEnd(
    _ params: WorkoutSessionEndParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionEndResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionCancel(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionCancelResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutSessionQuickLog(
    _ params: WorkoutSessionQuickLogParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionQuickLogResult {
    throw RPCError(.internalError, "not built yet")
  }
}
