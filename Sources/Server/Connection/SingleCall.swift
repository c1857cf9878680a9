import DaybookProtocol
import JSON
import JSONRPC
import Platform

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
    guard let request = Pipe(), let answer = Pipe() else { return nil }
    var options = options
    options.skipsHandshake = true
    options.isSingleCall = true
    options.followsFolder = false
    options.framing = .newline
    let message = JSONObject([
      ("jsonrpc", .string("2.0")), ("id", .number(JSONNumber(1))), ("method", .string(method)), ("params", params),
    ])
    let service = Service(options: options, input: request.reading, output: answer.writing)
    let text = JSONValue.object(message).json + [0x0A]
    Threads.start {
      request.write(text)
      request.closeWriting()
    }
    Threads.start(stackSize: 8 << 20) {
      _ = service.run()
      answer.closeWriting()
    }
    guard let (response, isDamaged) = response(in: answer.readAll()) else { return nil }
    return (response, isDamaged, done(method, response))
  }

  /// What a method has carried out, in words, by its result.
  private static func done(_ method: String, _ response: Response) -> String? {
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

  /// The response among the messages, one per line, and whether a notification reports a loss.
  private static func response(in output: [UInt8]) -> (response: Response, isDamaged: Bool)? {
    var response: Response?
    var isDamaged = false
    for line in output.split(separator: 0x0A) {
      guard case .object(let message)? = try? JSONValue(json: Array(line)) else { continue }
      if case .string("storeRecovered")? = message["method"], case .object(let params)? = message["params"] {
        isDamaged = isDamaged || params["lossPossible"] == .bool(true)
      }
      guard message["id"] != nil, message["method"] == nil else { continue }
      if let result = message["result"] { response = .result(result.json) }
      if let error = message["error"] { response = .error(error.json) }
    }
    return response.map { ($0, isDamaged) }
  }
}
