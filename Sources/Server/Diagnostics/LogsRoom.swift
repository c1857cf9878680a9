import DomainKit
import Platform

/// The log on disk, as clients read it.
final class LogsRoom {
  /// The default number of lines.
  private static let usualLines = 100

  func logsTail(_ params: LogsTailParams, _ desk: inout Desk) throws(RPCError) -> Deferred<LogsTailResult> {
    let category = params.category.flatMap { LogCategory(rawValue: $0) }
    if params.category != nil, category == nil {
      throw RPCError(
        .invalidParams, "there is no such category", pointer: "/category",
        allowed: LogCategory.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let level = params.level.flatMap { Log.Level(name: $0.rawValue) } ?? .trace
    let (folder, limit) = (desk.options.dataFolder, params.limit ?? LogsRoom.usualLines)
    return Deferred { [log = desk.log] work throws(RPCError) in
      log.finish(within: 500)
      let found = await work.offSession { () -> Result<LogTail.Found, DiagnosticsError> in
        do throws(DiagnosticsError) {
          return .success(try LogTail(dataFolder: folder).last(limit, level: level, category: category))
        } catch { return .failure(error) }
      }
      switch found {
      case .success(let found): return LogsTailResult(lines: found.lines, damaged: found.damagedLines)
      case .failure(let error): throw RPCError(.invalidParams, error.message, pointer: "")
      case nil: throw RPCError(.requestCancelled, "cancelled before anything was committed")
      }
    }
  }
}
