import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func equipmentAdd(
    _ params: EquipmentAddParams, _ context: inout Context
  ) throws(RPCError) -> EquipmentAddResult {
    throw RPCError(.internalError, "not built yet")
  }

  func equipmentUpdate(
    _ params: EquipmentUpdateParams, _ context: inout Context
  ) throws(RPCError) -> EquipmentUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func equipmentDelete(
    _ params: EquipmentDeleteParams, _ context: inout Context
  ) throws(RPCError) -> EquipmentDeleteResult {
    throw RPCError(.internalError, "not built yet")
  }

  func equipmentList(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> EquipmentListResult {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingSettingsGet(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> TrainingSettingsGetResult {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingSettingsUpdate(
    _ params: TrainingSettingsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> TrainingSettingsUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func calculatorOneRepMax(
    _ params: CalculatorOneRepMaxParams, _ context: inout Context
  ) throws(RPCError) -> CalculatorOneRepMaxResult {
    throw RPCError(.internalError, "not built yet")
  }

  func calculatorPlates(
    _ params: CalculatorPlatesParams, _ context: inout Context
  ) throws(RPCError) -> CalculatorPlatesResult {
    throw RPCError(.internalError, "not built yet")
  }

  func calculatorWarmups(
    _ params: CalculatorWarmupsParams, _ context: inout Context
  ) throws(RPCError) -> CalculatorWarmupsResult {
    throw RPCError(.internalError, "not built yet")
  }
}
