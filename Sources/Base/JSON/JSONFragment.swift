/// The checked JSON text of a `Value`, kept as bytes so that it can be passed on unchanged.
package struct JSONFragment<Value>: Sendable, Equatable {
  /// The text: exactly one JSON value.
  package let bytes: ArraySlice<UInt8>

  /// Takes bytes that are known to be the JSON text of a `Value`.
  @inlinable
  package init(unchecked bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// Takes an array that is known to be the JSON text of a `Value`.
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
    bytes = JSONFragment.withoutLineBreaks(Array(reader.text[start..<reader.position]))[...]
  }

  /// The text itself, or without white space between tokens if it has line breaks, which would end a frame of newline
  /// framing. Not generic in the text: unspecialized, looking for a line break would take 30 times as long as reading.
  fileprivate static func withoutLineBreaks(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 < 0x20 }) else { return text }
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

  /// Decodes the value.
  package func value() throws(JSONError) -> Value { try Value(json: Array(bytes)) }
}

extension JSONReader {
  /// Reads an array whose elements are checked and kept as text; they share one copy of the bytes.
  package mutating func array<Value: JSONDecodable>(
    of type: JSONFragment<Value>.Type, maximum: Int = .max
  ) throws(JSONError) -> [JSONFragment<Value>] {
    skipWhitespace()
    let start = position
    var ranges: [Range<Int>] = []
    try beginArray()
    while try nextElement(isFirst: ranges.isEmpty) {
      guard ranges.count < maximum else { throw tooManyElements(start, maximum) }
      _ = peek()
      let first = position
      _ = try Value(from: &self)
      ranges.append((first - start)..<(position - start))
    }
    let copy = Array(text[start..<position])
    guard copy.contains(where: { $0 < 0x20 }) else { return ranges.map { JSONFragment(unchecked: copy[$0]) } }
    return ranges.map { JSONFragment(unchecked: JSONFragment<Value>.withoutLineBreaks(Array(copy[$0]))) }
  }
}

extension JSONFragment: JSONEncodable {
  @inlinable
  package func encode(to writer: inout JSONWriter) {
    bytes.withUnsafeBytes { writer.append($0) }
  }
}
