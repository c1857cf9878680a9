import DaybookProtocol
import FileStore
import JSONRPC

/// The work outside the session that answers a heavy request.
package struct Deferred<Result: JSONEncodable & Sendable>: Sendable {
  private let body: @Sendable (any Work) async throws(RPCError) -> Result

  package init(_ body: @escaping @Sendable (any Work) async throws(RPCError) -> Result) { self.body = body }

  /// Works out the result.
  package func result(_ work: any Work) async throws(RPCError) -> Result { try await body(work) }

  /// The same with the result as JSON.
  package var encoded: Deferred<JSONFragment<JSONValue>> {
    Deferred<JSONFragment<JSONValue>> { [body] work throws(RPCError) in try await body(work).asFragment }
  }
}

extension JSONEncodable {
  /// Its JSON as an untyped fragment.
  package var asFragment: JSONFragment<JSONValue> { JSONFragment(unchecked: json) }
}

/// What a heavy request uses outside the session.
package protocol Work: Sendable {
  /// Throws when the request was cancelled.
  func checkCancellation() throws(RPCError)
  /// Runs a long computation on its own thread. Nil when the request was cancelled before it began or no thread is
  /// available.
  func offSession<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value?
  /// Runs blocking work with a store of its own on its own thread. Reports progress under `title`, if given; cancelling
  /// the request cancels the work.
  func onThread<Value: Sendable>(
    _ title: String?, _ body: @escaping @Sendable (WorkMonitor) throws(StoreError) -> Value
  ) async throws(RPCError) -> Value
  /// Lets other long work of the connection begin: what follows takes no more of the data folder than small changes do.
  func endTurn()
  /// How long the caller waits for other processes, in milliseconds, if it said so.
  var patience: Int? { get }
  /// The configuration for opening the data folder.
  var configuration: FileStore.Configuration { get }
  /// Whether the client wants the result in parts.
  var sendsParts: Bool { get }
  /// Sends a part of the result.
  func send(part: String)
  /// Imports records as a change of this client, checked by the rules of their collections.
  func importRecords(
    _ source: ImportSource, _ configuration: FileStore.Configuration, _ monitor: WorkMonitor
  ) throws(StoreError) -> ImportSummary
  /// Marks a revision as this client's.
  func own(_ revision: Int) async
}

extension RPCError {
  /// Refuses a relative path: the working directory of the service is not the client's.
  package static func checkAbsolute(_ path: String) throws(RPCError) {
    guard path.hasPrefix("/") else {
      throw RPCError(.invalidParams, "“path” is not absolute", pointer: "/path", allowed: "an absolute path")
    }
  }
}
