import JSON

/// An id or a token as its kind and spelling, so that `1`, `1.0` and `"1"` are three.
struct MessageID: Hashable, Sendable, CustomStringConvertible {
  /// The JSON text.
  let text: [UInt8]

  /// The id a value is; nil for a kind of value that no id has.
  init?(_ value: JSONValue) {
    switch value {
    case .null, .string, .number: text = value.json
    case .bool, .array, .object: return nil
    }
  }

  /// The id of a message that says nothing about which request it answers.
  static let null = MessageID(JSONValue.null)

  /// The JSON text.
  var description: String { String(decoding: text, as: UTF8.self) }
}
