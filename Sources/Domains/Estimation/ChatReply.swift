import DaybookProtocol
import JSON
import Values

/// What an endpoint says around an estimate: a chat completion in OpenAI's form.
package enum ChatReply {
  /// The text of the first choice.
  ///
  /// - Throws: `badAnswer` with the place within the reply.
  package static func text(_ body: [UInt8]) throws(EstimatorFailure) -> String {
    guard !body.isEmpty else { throw EstimatorFailure(.badAnswer, "the endpoint answered nothing", pointer: "") }
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
        .badAnswer, "the model said nothing", pointer: "/choices/0/message/content", allowed: "a text")
    }
    if choice["finish_reason"] == .string("length"), EmbeddedObject.find(in: text) == nil {
      throw EstimatorFailure(
        .badAnswer, "the model's answer was cut off", pointer: "/choices/0/finish_reason", allowed: "“stop”")
    }
    return text
  }

  /// The text of a message, which some endpoints give in parts.
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

  /// What an endpoint says about a request that it refuses, without line breaks and cut short; nil when it does not say. A key in it is
  /// left out.
  static func reason(_ body: [UInt8], without key: EstimatorKey?) -> String? {
    guard case .object(let object)? = try? JSONValue(json: body) else { return nil }
    var said = ""
    switch object["error"] {
    case .string(let text): said = text
    case .object(let error): if case .string(let text)? = error["message"] { said = text }
    default: break
    }
    if let key { said = said.replacing(text: key.text, with: "…") }
    var scalars = String.UnicodeScalarView()
    for scalar in said.unicodeScalars.prefix(longestReason) {
      scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return scalars.isEmpty ? nil : String(scalars)
  }

  private static let longestReason = 200
}

extension String {
  /// The text with every occurrence of another replaced.
  fileprivate func replacing(_ part: String, with replacement: String) -> String {
    let (text, part) = (Array(utf8), Array(part.utf8))
    guard !part.isEmpty, text.count >= part.count else { return self }
    var result: [UInt8] = []
    var at = 0
    while at < text.count {
      if text[at...].starts(with: part) {
        result += replacement.utf8
        at += part.count
      } else {
        result.append(text[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
