import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func programsAdd(
    _ params: ProgramsAddParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsAddResult {
    throw RPCError(.internalError, "not built yet")
  }

  func programsUpdate(
    _ params: ProgramsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func programsDelete(
    _ params: ProgramsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsDeleteResult {
    throw RPCError(.internalError, "not built yet")
  }

  func programsActivate(
    _ params: ProgramsActivateParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsActivateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func programsDeactivate(
    _ params: ProgramsDeactivateParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsDeactivateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func programsExpand(
    _ params: ProgramsExpandParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsExpandResult {
    throw RPCError(.internalError, "not built yet")
  }

  func scheduledWorkoutsAdd(
    _ params: ScheduledWorkoutsAddParams, _ context: inout Context
  ) throws(RPCError) -> ScheduledWorkoutsAddResult {
    throw RPCError(.internalError, "not built yet")
  }

  func scheduledWorkoutsUpdate(
    _ params: ScheduledWorkoutsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> ScheduledWorkoutsUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }
}
