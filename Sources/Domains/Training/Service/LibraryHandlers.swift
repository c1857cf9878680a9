import DaybookProtocol
import DomainKit
import JSONRPC

extension TrainingService {
  func librarySearch(
    _ params: LibrarySearchParams, _ context: inout Context
  ) throws(RPCError) -> LibrarySearchResult {
    throw RPCError(.internalError, "not built yet")
  }

  func libraryResolve(
    _ params: LibraryResolveParams, _ context: inout Context
  ) throws(RPCError) -> LibraryResolveResult {
    throw RPCError(.internalError, "not built yet")
  }

  func libraryMark(
    _ params: LibraryMarkParams, _ context: inout Context
  ) throws(RPCError) -> LibraryMarkResult {
    throw RPCError(.internalError, "not built yet")
  }

  func customExercisesAdd(
    _ params: CustomExercisesAddParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesAddResult {
    throw RPCError(.internalError, "not built yet")
  }

  func customExercisesUpdate(
    _ params: CustomExercisesUpdateParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesUpdateResult {
    throw RPCError(.internalError, "not built yet")
  }

  func customExercisesDelete(
    _ params: CustomExercisesDeleteParams, _ context: inout Context
  ) throws(RPCError) -> CustomExercisesDeleteResult {
    throw RPCError(.internalError, "not built yet")
  }
}
