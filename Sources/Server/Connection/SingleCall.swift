import DaybookProtocol
import JSON

/// One request served without a client, for the command line.
package enum SingleCall {
  package enum Response: Sendable {
    case result([UInt8])
    case error([UInt8])
  }

  /// Makes the call and waits for its reply; a change is durable by then. Nil when there is none. `isDamaged` tells
  /// whether stored data may be lost; `done` says what was carried out, such as “stored as revision 7”, and is nil for
  /// a read and for a refusal.
  package static func make(
    method: String, params: JSONValue, options: ServiceOptions
  ) -> (response: Response, isDamaged: Bool, done: String?)? {
    guard let conversation = Conversation(options: options) else { return nil }
    let response = conversation.call(method, params)
    conversation.end()
    guard let response else { return nil }
    return (response, conversation.isDamaged, done(method, response))
  }

  /// What a method has carried out, in words, by its result; nil for a read and for a refusal.
  package static func done(_ method: String, _ response: Response) -> String? {
    var name = method
    guard case .result(let json) = response,
      let effect = name.withUTF8({ Method(utf8: UnsafeRawBufferPointer($0)) })?.effect,
      effect != .read
    else { return nil }
    guard effect == .write, case .object(let result)? = try? JSONValue(json: json) else {
      return "the request was carried out"
    }
    // Nothing new was stored, as by a preview.
    if result["changed"] == .bool(false) { return nil }
    guard case .number(let revision)? = result["revision"] else { return "the request was carried out" }
    return "stored as revision \(revision.lexeme)"
  }
}
