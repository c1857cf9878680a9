/// A type that reads itself from a JSON text.
@usableFromInline
package protocol JSONDecodable {
  /// Reads the next value. On failure the error says what was expected and where.
  init(from reader: inout JSONReader) throws(JSONError)
}

/// A type that writes itself as one JSON value.
@usableFromInline
package protocol JSONEncodable {
  func encode(to writer: inout JSONWriter)
}

extension JSONDecodable {
  /// Decodes `text`, which must hold one value and white space; `strict` refuses unknown members.
  package init(json text: [UInt8], strict: Bool = true) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = strict
      return try Self(from: &reader)
    }
  }

  /// Decodes a borrowed buffer; `strict` refuses unknown members.
  package init(json text: UnsafeRawBufferPointer, strict: Bool = true) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = strict
      return try Self(from: &reader)
    }
  }
}

extension JSONEncodable {
  /// The JSON text of the value.
  package var json: [UInt8] { JSONWriter.text { encode(to: &$0) } }
}

extension String: JSONDecodable, JSONEncodable {
  @inlinable
  package init(from reader: inout JSONReader) throws(JSONError) { self = try reader.string() }
  @inlinable
  package func encode(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: JSONDecodable, JSONEncodable {
  @inlinable
  package init(from reader: inout JSONReader) throws(JSONError) { self = try reader.int() }
  @inlinable
  package func encode(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: JSONDecodable, JSONEncodable {
  @inlinable
  package init(from reader: inout JSONReader) throws(JSONError) { self = try reader.bool() }
  @inlinable
  package func encode(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: JSONDecodable, JSONEncodable {
  @inlinable
  package init(from reader: inout JSONReader) throws(JSONError) { self = try reader.double() }
  @inlinable
  package func encode(to writer: inout JSONWriter) { writer.write(self) }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  // Not inlinable: specialized for a known element type, it would copy all members of each element once more.
  @usableFromInline
  package func encode(to writer: inout JSONWriter) {
    writer.beginArray()
    withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress else { return }
      for index in 0..<elements.count {
        writer.element()
        (first + index).pointee.encode(to: &writer)
      }
    }
    writer.endArray()
  }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  /// Writes members in ascending order of names, so that equal values have equal texts.
  // Inlinable, and sorts names only: sorting pairs of an unspecialized type would instantiate a dozen types at run
  // time.
  @inlinable
  package func encode(to writer: inout JSONWriter) {
    var names: [String] = []
    names.reserveCapacity(count)
    for (name, _) in self { names.append(name) }
    names.sort()
    writer.beginObject()
    for name in names {
      guard let value = self[name] else { continue }
      writer.name(name)
      value.encode(to: &writer)
    }
    writer.endObject()
  }
}
