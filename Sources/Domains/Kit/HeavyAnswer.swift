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
}
