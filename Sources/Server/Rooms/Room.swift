import DomainKit

/// A part of the service that is not a domain: it owns its state, answers its requests behind one door, and reaches
/// everything else through the desk. The dispatch to its handlers is generated.
protocol Room: AnyObject {
  /// Answers a request: decodes the params, calls the handler, writes the result.
  func dispatch(
    _ method: Method, _ reader: inout JSONReader, _ desk: inout Desk, _ writer: inout JSONWriter
  ) throws(RPCError)

  /// The work that answers a heavy request.
  func heavy(
    _ method: Method, _ reader: inout JSONReader, _ desk: inout Desk
  ) throws(RPCError) -> Deferred<JSONFragment<JSONValue>>
}

extension Room {
  /// The error for malformed params.
  func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    RPCError(params: error, in: text)
  }
}

/// The rooms of a session.
struct Rooms {
  let secrets: SecretsRoom
  let estimation: EstimationRoom
  let logs = LogsRoom()
  let sync = SyncRoom()

  init() {
    estimation = EstimationRoom()
    secrets = SecretsRoom(users: [estimation])
  }
}
