import DaybookProtocol
import FileStore
import JSON
import JSONRPC

/// How a heavy request is answered: at once, when what it takes is at hand, or away from the session.
package enum HeavyAnswer<Result: JSONEncodable & Sendable>: Sendable {
  case now(Result)
  case work(@Sendable (any Work) async throws(RPCError) -> Result)

  /// The same with the text of the result.
  package var encoded: HeavyAnswer<JSONFragment<JSONValue>> {
    switch self {
    case .now(let result): return .now(result.asFragment)
    case .work(let body): return .work { work throws(RPCError) in try await body(work).asFragment }
    }
  }
}

extension JSONEncodable {
  /// The text of a value that is not looked at any more.
  package var asFragment: JSONFragment<JSONValue> { JSONFragment(unchecked: json) }
}

/// What a heavy request works with, away from the session.
package protocol Work: Sendable {
  /// Throws once the request has been cancelled.
  func checkCancellation() throws(RPCError)
  /// Does something that takes long, on a thread of its own. Nil when the request was cancelled before, or the system has no
  /// thread to give.
  func offSession<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value?
  /// Does something with the data folder that waits for the disk, on a thread of its own, with an opening of its own. Progress is
  /// reported under `title`, if there is one; cancelling the request cancels it.
  func onThread<Value: Sendable>(
    _ title: String?, _ body: @escaping @Sendable (WorkMonitor) throws(StoreError) -> Value
  ) async throws(RPCError) -> Value
  /// The data folder, for an opening of its own.
  var configuration: FileStore.Configuration { get }
  /// Whether the result is wanted in parts.
  var sendsParts: Bool { get }
  /// Sends a part of a text.
  func send(part: String)
  /// Takes records in as a change of this client's, if they are what the rules of their collections allow.
  func importRecords(
    _ source: ImportSource, _ configuration: FileStore.Configuration, _ monitor: WorkMonitor
  ) throws(StoreError) -> ImportSummary
  /// Records that a change found in the folder is this client's.
  func own(_ revision: Int) async
}

extension RPCError {
  /// Refuses a path that is not absolute: the service's own folder is not the client's, so a relative one means nothing.
  package static func checkAbsolute(_ path: String) throws(RPCError) {
    guard path.hasPrefix("/") else {
      throw RPCError(.invalidParams, "“path” is not absolute", pointer: "/path", allowed: "an absolute path")
    }
  }
}
