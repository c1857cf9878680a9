import DaybookProtocol
import JSON
import Values

/// Reads replies of an endpoint: chat completions in OpenAI's form.
enum ChatReply {
  /// The text of the first choice.
  ///
  /// - Throws: `badAnswer` with a pointer into the reply.
  static func text(_ body: [UInt8]) throws(EstimatorFailure) -> String {
    guard !body.isEmpty else { throw EstimatorFailure(.badAnswer, "the endpoint's answer is empty", pointer: "") }
    let reply: JSONValue
    do throws(JSONError) { reply = try JSONValue(json: body) } catch {
      throw EstimatorFailure(.badAnswer, "the endpoint's answer is not JSON: \(error)", pointer: "", allowed: "JSON")
    }
    guard case .object(let object) = reply, case .array(let choices)? = object["choices"] else {
      throw EstimatorFailure(
        .badAnswer, "the endpoint's answer has no choices", pointer: "/choices", allowed: "a chat completion")
    }
    guard case .object(let choice)? = choices.first, case .object(let message)? = choice["message"] else {
      throw EstimatorFailure(
        .badAnswer, "the endpoint's answer has no message", pointer: "/choices/0/message",
        allowed: "a chat completion")
    }
    let text = content(message)
    guard !text.isEmpty else {
      if case .string? = message["refusal"] {
        throw EstimatorFailure(.badAnswer, "the model refused to answer", pointer: "/choices/0/message/refusal")
      }
      throw EstimatorFailure(
        .badAnswer, "the model's answer is empty", pointer: "/choices/0/message/content", allowed: "a text")
    }
    if choice["finish_reason"] == .string("length"), EmbeddedObject.find(in: text) == nil {
      throw EstimatorFailure(
        .badAnswer, "the model's answer was cut off", pointer: "/choices/0/finish_reason", allowed: "“stop”")
    }
    return text
  }

  /// The text of a message, which some endpoints split into parts.
  private static func content(_ message: JSONObject) -> String {
    switch message["content"] {
    case .string(let text): text
    case .array(let parts):
      parts.reduce(into: "") { text, part in
        if case .object(let part) = part, case .string(let more)? = part["text"] { text += more }
      }
    default: ""
    }
  }

  /// The endpoint's reason for refusing a request, shortened and without control characters; nil without one. The key is masked.
  static func reason(_ body: [UInt8], without key: EstimatorKey?) -> String? {
    guard case .object(let object)? = try? JSONValue(json: body) else { return nil }
    var reason = ""
    switch object["error"] {
    case .string(let text): reason = text
    case .object(let error): if case .string(let text)? = error["message"] { reason = text }
    default: break
    }
    if let key { reason = reason.replacing(text: key.text, with: "…") }
    var scalars = String.UnicodeScalarView()
    for scalar in reason.unicodeScalars.prefix(longestReason) {
      scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return scalars.isEmpty ? nil : String(scalars)
  }

  private static let longestReason = 200
}
