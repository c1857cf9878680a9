import JSON
import ProtocolModel

/// Both sides of a session: whether the service may say what it says, and what has been exercised.
package struct Conversation {
  /// What the protocol allows.
  let schema: Schema
  /// The client's side.
  var ledger: Ledger
  /// What the service's messages exercised.
  private var received = Seen()

  /// A session in which nothing was said.
  package init(schema: Schema) {
    self.schema = schema
    ledger = Ledger(schema: schema)
  }

  /// What both sides exercised.
  package var seen: Seen {
    var seen = received
    seen.notifications.formUnion(ledger.notifications)
    seen.types.formUnion(ledger.types)
    return seen
  }

  /// Notes a message on its way to the service.
  package mutating func note(_ value: JSONValue) { ledger.note(value) }

  /// Begins a session with another process, which owes nothing.
  mutating func restart() { ledger.restart() }

  /// Throws where a message of the service is not lawful.
  package mutating func receive(_ value: JSONValue) throws(Mismatch) {
    guard case .array(let values) = value else { return try receiveOne(value, "") }
    guard !values.isEmpty else { throw Mismatch("", expected: "answers in a batch", found: value) }
    for (index, value) in values.enumerated() {
      if case .object(let message) = value, message["method"] != nil {
        throw Mismatch("/\(index)/method", expected: "nothing but answers in a batch", found: value)
      }
      try receiveOne(value, "/\(index)")
    }
  }

  /// Checks one message.
  private mutating func receiveOne(_ value: JSONValue, _ pointer: String) throws(Mismatch) {
    guard case .object(let message) = value else { throw Mismatch(pointer, expected: "an object", found: value) }
    guard message["jsonrpc"] == .string("2.0") else {
      throw Mismatch(
        pointer + "/jsonrpc", expected: "\"2.0\"", found: message["jsonrpc"].map { PrettyText.short($0) } ?? "none")
    }
    let isCall = message["method"] != nil
    let known: Set = isCall ? ["jsonrpc", "id", "method", "params"] : ["jsonrpc", "id", "result", "error"]
    for (name, value) in message.members where !known.contains(name) {
      throw Mismatch(pointer + JSONPointer.token(name), expected: "no such member in a message", found: value)
    }
    if isCall { try call(message, pointer) } else { try answer(message, pointer) }
  }

  /// Checks a request or notification of the service.
  private mutating func call(_ message: JSONObject, _ pointer: String) throws(Mismatch) {
    guard case .string(let method)? = message["method"] else {
      throw Mismatch(pointer + "/method", expected: "text", found: message["method"] ?? .null)
    }
    let id = message["id"]
    guard let declared = id == nil ? schema.notifications[method] : schema.requests[method],
      declared.direction.isFromServer
    else {
      let what = id == nil ? "a notification" : "a request"
      throw Mismatch(pointer + "/method", expected: "\(what) that the service sends", found: .string(method))
    }
    if let id, MessageID(id) == nil || id == .null {
      throw Mismatch(pointer + "/id", expected: "a string or a number", found: id)
    }
    let params = message["params"] ?? .object(JSONObject())
    var validator = SchemaValidator(schema: schema)
    // What the service sends is checked strictly: leniency is for those who read it.
    try validator.check(params, members: declared.params.members, at: pointer + "/params")
    if method == "$/progress", case .object(let members) = params {
      try progress(members, &validator, pointer + "/params")
    }
    received.types.formUnion(validator.met)
    if id == nil { received.notifications.insert(method) } else { received.methods.insert(method) }
  }

  /// Checks what progress carries, by the token the client gave.
  private func progress(
    _ params: JSONObject, _ validator: inout SchemaValidator, _ pointer: String
  ) throws(Mismatch) {
    guard let token = params["token"], let id = MessageID(token), let value = params["value"] else { return }
    switch ledger.tokens[id] {
    case .work: try validator.check(value, .named("WorkProgress"), at: pointer + "/value")
    case .items(let item): try validator.check(value, .array(item), at: pointer + "/value")
    case nil:
      guard ledger.isBlurred else {
        throw Mismatch(pointer + "/token", expected: "a token of a request that is not answered yet", found: token)
      }
    }
  }

  /// Checks an answer, against the request it may belong to.
  private mutating func answer(_ message: JSONObject, _ pointer: String) throws(Mismatch) {
    guard let idValue = message["id"], let id = MessageID(idValue) else {
      throw Mismatch(pointer + "/id", expected: "a string, a number or null", found: message["id"] ?? .string("(none)"))
    }
    guard (message["result"] == nil) != (message["error"] == nil) else {
      throw Mismatch(pointer, expected: "exactly one of result and error", found: .object(message))
    }
    let waiting = ledger.requests[id] ?? []
    if waiting.isEmpty {
      let isAnonymous = idValue == .null && message["error"] != nil
      guard isAnonymous || ledger.isBlurred else {
        throw Mismatch(pointer + "/id", expected: "the id of a request that is not answered yet", found: idValue)
      }
      if let error = message["error"] { try received.formUnion(self.error(error, nil, pointer + "/error")) }
      return
    }
    var first: Mismatch?
    for (index, request) in waiting.enumerated() {
      do throws(Mismatch) {
        let seen = try reply(message, request, pointer)
        if request.isCounted { received.formUnion(seen) }
        return ledger.strike(id, index)
      } catch { first = first ?? error }
    }
    // An error without an id answers nobody in particular, even while a request with a null id waits.
    if idValue == .null, let error = message["error"] {
      return try received.formUnion(self.error(error, nil, pointer + "/error"))
    }
    if let first { throw first }
  }

  /// Checks the answer to a request.
  private func reply(
    _ message: JSONObject, _ request: Ledger.Request, _ pointer: String
  ) throws(Mismatch) -> Seen {
    if let error = message["error"] { return try self.error(error, request, pointer + "/error") }
    guard let method = request.method, let details = schema.requests[method]?.request else {
      let name = request.method.map { "“\($0)”, which the protocol does not have" } ?? "a message without a method"
      throw Mismatch(pointer + "/result", expected: "an error in answer to \(name)", found: message["result"] ?? .null)
    }
    var seen = Seen()
    var validator = SchemaValidator(schema: schema)
    try validator.check(message["result"] ?? .null, details.result, at: pointer + "/result")
    seen.types = validator.met
    seen.methods = [method]
    return seen
  }
}
