import JSON

/// A string or integer chosen by the peer, kept verbatim so that it is sent back byte for byte.
package struct Token: Sendable, Hashable, JSONDecodable, JSONEncodable {
  /// The JSON text of the value.
  package let json: [UInt8]

  /// Takes the JSON text of a string or number.
  package init(unchecked json: [UInt8]) {
    self.json = json
  }

  package init(from reader: inout JSONReader) throws(JSONError) {
    let first = reader.peek()
    let start = reader.position
    guard let first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || (48...57).contains(first) else {
      throw reader.wrongType("a string or a number")
    }
    try reader.skipValue()
    json = Array(reader.text[start..<reader.position])
  }

  package func encode(to writer: inout JSONWriter) {
    json.withUnsafeBytes { writer.append($0) }
  }
}
