import CivilTime
import JSON
import Values

protocol DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> Self
  func write(to writer: inout JSONWriter)
}

extension JSONReader {
  @inline(__always) mutating func value<Value: DocumentValue>(_ type: Value.Type = Value.self) throws(JSONError)
    -> Value
  { try Value.read(from: &self) }

  /// Skips the next value, which must be an object; returns its range.
  mutating func objectRange() throws(JSONError) -> Range<Int> {
    guard peek() == UInt8(ascii: "{") else { throw wrongType("an object") }
    let start = position
    try skipValue()
    return start..<position
  }
}

extension JSONWriter {
  @inline(__always) mutating func member(_ name: StaticString, _ value: some DocumentValue) {
    self.name(name)
    value.write(to: &self)
  }

  @inline(__always) mutating func member(_ name: StaticString, _ value: (some DocumentValue)?) {
    if let value { member(name, value) }
  }

  @inline(__always) mutating func member(_ name: StaticString, json: UnsafeRawBufferPointer) {
    self.name(name)
    append(json)
  }
}

// MARK: plain values

/// Non-negative numbers.
extension Int: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> Int { try reader.int(in: 0...(.max)) }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension UInt32: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> UInt32 {
    UInt32(truncatingIfNeeded: try reader.int(in: 0...Int(UInt32.max)))
  }
  func write(to writer: inout JSONWriter) { writer.write(Int(self)) }
}

extension Bool: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> Bool { try reader.bool() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension String: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> String { try reader.string() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension [String]: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> [String] { try reader.array() }
  func write(to writer: inout JSONWriter) { encode(to: &writer) }
}

extension CollectionName: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> CollectionName {
    try reader.string(as: "1 to 64 letters, digits and hyphens, a letter first") { CollectionName(ofFolder: $0) }
  }
  func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

/// The range of an object in the text that is read; it cannot be written.
extension Range<Int>: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> Range<Int> { try reader.objectRange() }
  func write(to writer: inout JSONWriter) {}
}

// MARK: texts of fixed length

/// A value whose text has a fixed length and needs no escapes.
protocol FixedTextValue: DocumentValue {
  static var textLength: Int { get }
  /// Its name in error messages.
  static var textName: StaticString { get }
  init?(utf8 text: UnsafeBufferPointer<UInt8>)
  func write(to target: UnsafeMutablePointer<UInt8>)
}

extension FixedTextValue {
  @inline(__always) static func read(from reader: inout JSONReader) throws(JSONError) -> Self {
    if let value = reader.string(ofLength: textLength, Self.init(utf8:)) { return value }
    return try reader.string(as: textName) { Self(utf8: $0) }
  }

  @inline(__always) func write(to writer: inout JSONWriter) {
    writer.writeText(room: Self.textLength) {
      write(to: $0)
      return Self.textLength
    }
  }
}

extension EntityID: FixedTextValue {
  /// The nil id, also the initial value for reading.
  static let zero = EntityID(high: 0, low: 0)
  static var textLength: Int { 36 }
  static var textName: StaticString { "a UUID" }
}

extension CivilDay: FixedTextValue {
  static var textLength: Int { 10 }
  static var textName: StaticString { "a day" }
}

extension Instant: FixedTextValue { static var textName: StaticString { "an instant" } }

extension SHA256Digest: FixedTextValue { static var textName: StaticString { "64 lower-case hexadecimal digits" } }
