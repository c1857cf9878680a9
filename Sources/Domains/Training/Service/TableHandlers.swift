import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func trainingPreviewImport(
    _ params: TrainingPreviewImportParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<TrainingPreviewImportResult> {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingImport(
    _ params: TrainingImportParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<TrainingImportResult> {
    throw RPCError(.internalError, "not built yet")
  }

  func trainingExport(
    _ params: TrainingExportParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<TrainingExportResult> {
    throw RPCError(.internalError, "not built yet")
  }
}
