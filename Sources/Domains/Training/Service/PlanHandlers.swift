import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func modulesAdd(
    _ params: ModulesAddParams, _ context: inout Context
  ) throws(RPCError) -> ModulesAddResult {
    throw RPCError(.internalError, "not built yet")
  }

  func modulesUpdate(
    _ params: ModulesUpdateParams, _ context: inout Context
  ) throws(RPCError) -> ModulesUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func modulesCopy(
    _ params: ModulesCopyParams, _ context: inout Context
  ) throws(RPCError) -> ModulesCopyResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutsAdd(
    _ params: WorkoutsAddParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsAddResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutsUpdate(
    _ params: WorkoutsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutsDelete(
    _ params: WorkoutsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsDeleteResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutsCopy(
    _ params: WorkoutsCopyParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsCopyResult {
    throw RPCError(.internalError, "not built yet")
  }

  func workoutsResolve(
    _ params: WorkoutsResolveParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutsResolveResult {
    throw RPCError(.internalError, "not built yet")
  }

  func plansHash(
    _ params: PlansHashParams, _ context: inout Context
  ) throws(RPCError) -> PlansHashResult {
    throw RPCError(.internalError, "not built yet")
  }
}
