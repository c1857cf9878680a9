import JSON

/// A request id as a dictionary key. Compares kind and content: `1`, `"1"` and `1.0` are three ids.
package struct RequestID: Hashable, Sendable {
  /// The original JSON text, which is sent back to the client.
  package let lexeme: [UInt8]
  /// The lexeme with the escapes of a string resolved, for comparison.
  private let key: [UInt8]

  /// Takes the JSON text of a string, number or null.
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
