import JSON
import ProtocolModel

extension Conversation {
  /// Checks an error against the catalogue, its data, and what the method declares; returns what it exercises.
  func error(_ value: JSONValue, _ request: Ledger.Request?, _ pointer: String) throws(Mismatch) -> Seen {
    var validator = SchemaValidator(schema: schema)
    let members = [
      Member(name: "code", type: .scalar(.int), doc: ""), Member(name: "message", type: .scalar(.string), doc: ""),
      Member(name: "data", type: .named("ErrorData"), doc: ""),
    ]
    try validator.check(value, members: members, at: pointer)
    guard case .object(let error) = value, case .object(let data)? = error["data"],
      case .string(let name)? = data["name"]
    else { throw Mismatch(pointer, expected: "an error", found: value) }
    if error["message"] == .string("") {
      throw Mismatch(pointer + "/message", expected: "some text", found: .string(""))
    }
    guard let declared = schema.errors[name] else {
      throw Mismatch(pointer + "/data/name", expected: "an error of the catalogue", found: .string(name))
    }
    if let code = error["code"], !Matcher.areEqual(code, .number(JSONNumber(declared.code))) {
      throw Mismatch(pointer + "/code", expected: "\(declared.code), the code of \(name)", found: code)
    }
    if let retry = data["retry"], retry != .string(declared.retry) {
      throw Mismatch(pointer + "/data/retry", expected: "“\(declared.retry)”, as \(name) declares", found: retry)
    }
    if let request, !schema.mayAnswer(declared, request.method) {
      let method = request.method ?? "a message without a method"
      throw Mismatch(pointer + "/data/name", expected: "an error that \(method) declares", found: .string(name))
    }
    return seen(name, request, validator.met)
  }

  /// What an error exercises. It reaches its method when the method declares it and it says more than “not now” or “not so”.
  private func seen(_ name: String, _ request: Ledger.Request?, _ types: Set<String>) -> Seen {
    var seen = Seen()
    seen.errors = [name]
    seen.types = types
    let general: Set = ["serverNotInitialized", "invalidParams", "invalidRequest"]
    if let method = request?.method, let details = schema.requests[method]?.request, !general.contains(name),
      details.errors.contains(name)
    {
      seen.methods = [method]
    }
    return seen
  }
}
