/// The JSON text of a `Value` that was written or checked before, kept as bytes so that it can be passed on as it is.
package struct JSONFragment<Value>: Sendable, Equatable {
  /// The text: exactly one JSON value.
  package let bytes: ArraySlice<UInt8>

  /// Takes bytes that are known to be one JSON value of that type.
  package init(unchecked bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The same for a whole array.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes[...]
  }
}

extension JSONFragment where Value: JSONEncodable {
  package init(_ value: Value) {
    bytes = value.json[...]
  }
}

extension JSONFragment: JSONDecodable where Value: JSONDecodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    _ = reader.peek()
    let start = reader.position
    _ = try Value(from: &reader)
    bytes = JSONFragment.withoutLineBreaks(reader.text[start..<reader.position])[...]
  }

  /// A checked text as it is, unless it has line breaks, which must not get into a frame that is a line: then without
  /// white space between its tokens.
  private static func withoutLineBreaks(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    guard text.contains(where: { $0 < 0x20 }) else { return Array(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isInString = false
    var isEscaped = false
    for byte in text {
      if !isInString, byte <= 0x20 { continue }
      result.append(byte)
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return result
  }

  /// The value itself.
  package func value() throws(JSONError) -> Value { try Value(json: Array(bytes)) }
}

extension JSONFragment: JSONEncodable {
  @inlinable
  package func encode(to writer: inout JSONWriter) {
    bytes.withUnsafeBytes { writer.append($0) }
  }
}
