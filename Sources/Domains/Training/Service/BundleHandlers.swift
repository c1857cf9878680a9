import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func bundlesExport(
    _ params: BundlesExportParams, _ context: inout Context
  ) throws(RPCError) -> BundlesExportResult {
    throw RPCError(.internalError, "not built yet")
  }

  func bundlesPreview(
    _ params: BundlesPreviewParams, _ context: inout Context
  ) throws(RPCError) -> BundlesPreviewResult {
    throw RPCError(.internalError, "not built yet")
  }

  func bundlesImport(
    _ params: BundlesImportParams, _ context: inout Context
  ) throws(RPCError) -> BundlesImportResult {
    throw RPCError(.internalError, "not built yet")
  }
}
