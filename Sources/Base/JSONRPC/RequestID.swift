import JSON

/// The id of a request as a key: kind and content, so that `1`, `"1"` and `1.0` are three.
package struct RequestID: Hashable, Sendable {
  /// The JSON text, as it was written: what goes back to the client.
  package let lexeme: [UInt8]
  /// What is compared: the lexeme, with the escapes of a string resolved.
  private let key: [UInt8]

  /// Takes the JSON text of a string, a number or null.
  package init(lexeme: UnsafeRawBufferPointer) {
    self.lexeme = Array(lexeme)
    if lexeme.first == UInt8(ascii: "\""), lexeme.contains(UInt8(ascii: "\\")), let text = try? String(json: lexeme) {
      key = Array("\"\(text)\"".utf8)
    } else {
      key = self.lexeme
    }
  }

  package init(lexeme: [UInt8]) {
    self = lexeme.withUnsafeBytes { RequestID(lexeme: $0) }
  }

  package static func == (left: RequestID, right: RequestID) -> Bool { left.key == right.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
