/// A strict reader of one JSON text (RFC 8259) in UTF-8, straight from its bytes.
///
/// It returns values in document order without building a tree. No input can trap: every access is bounds-checked, and
/// every failure is a `JSONError`. It borrows the bytes and must not outlive them.
@usableFromInline
package struct JSONReader: ~Copyable {
  /// The maximum nesting of arrays and objects.
  package static let maximumDepth = 512

  @usableFromInline let bytes: UnsafePointer<UInt8>
  @usableFromInline let end: Int
  /// Offset of the next byte to read.
  @usableFromInline package var position = 0
  @usableFromInline var depth = 0

  /// Whether typed decoding refuses unknown members instead of skipping them.
  package var refusesUnknownMembers = true

  /// Whether open enumerations accept unknown values instead of refusing them.
  package var acceptsUnknownValues = false

  /// Whether skipped objects may have duplicate members.
  package var allowsDuplicates = false

  /// The ranges of the common members, if found.
  package var common = CommonMembers()

  // The name last read by `nextMember`, without its quotes.
  @usableFromInline var nameStart = 0
  @usableFromInline var nameEnd = 0
  @usableFromInline var nameHasEscapes = false

  // Created on demand: most texts need none.
  private var keptNames: KeptNames?

  /// A reader at the start of `text`.
  package init(_ text: UnsafeRawBufferPointer) {
    if let base = text.bindMemory(to: UInt8.self).baseAddress {
      bytes = UnsafePointer(base)
      end = text.count
    } else {
      // An empty buffer need not have an address; nothing is read from this one.
      bytes = ("" as StaticString).utf8Start
      end = 0
    }
  }

  /// The names recorded to detect duplicates.
  var kept: KeptNames {
    mutating get {
      if let keptNames { return keptNames }
      let new = KeptNames()
      keptNames = new
      return new
    }
  }

  /// The whole text.
  package var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: end) }

  /// Reads `text` as exactly one value, with only white space around it.
  package static func read<Value>(
    _ text: UnsafeRawBufferPointer, _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    var reader = JSONReader(text)
    let value = try body(&reader)
    try reader.finish()
    return value
  }

  /// Reads an array of bytes as exactly one value.
  package static func read<Value>(
    _ text: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    try text.withUnsafeBufferPointer { (buffer) throws(JSONError) in try read(UnsafeRawBufferPointer(buffer), body) }
  }

  /// Throws unless only white space is left.
  package mutating func finish() throws(JSONError) {
    skipWhitespace()
    if position < end { throw JSONError(.trailingBytes, at: position, expected: "the end of the text") }
  }

  /// The next byte after white space, not consumed; nil at the end.
  @inlinable
  package mutating func peek() -> UInt8? {
    skipWhitespace()
    return position < end ? bytes[position] : nil
  }

  @inlinable
  @inline(__always)
  mutating func skipWhitespace() {
    while position < end {
      let byte = bytes[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position &+= 1
    }
  }

  /// Consumes `null` if it is next; returns whether it was.
  package mutating func null() throws(JSONError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  /// Reads `true` or `false`.
  @usableFromInline
  package mutating func bool() throws(JSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw wrongType("true or false")
    }
  }

  /// Consumes exactly these bytes.
  mutating func literal(_ text: StaticString) throws(JSONError) {
    for index in 0..<text.utf8CodeUnitCount {
      guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "\(text)") }
      guard bytes[position] == text.utf8Start[index] else {
        throw JSONError(.syntax, at: position, expected: "\(text)")
      }
      position &+= 1
    }
  }

  /// Consumes one structural byte after white space.
  @inline(__always)
  mutating func expect(_ byte: UInt8, _ expected: StaticString) throws(JSONError) {
    skipWhitespace()
    guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "\(expected)") }
    guard bytes[position] == byte else { throw JSONError(.syntax, at: position, expected: "\(expected)") }
    position &+= 1
  }

  mutating func enter() throws(JSONError) {
    depth &+= 1
    if depth > JSONReader.maximumDepth {
      throw JSONError(.tooDeep, at: position, expected: "at most \(JSONReader.maximumDepth) levels")
    }
  }

  /// The error for a value of a wrong kind, out of line from the code that reads well-formed texts.
  @usableFromInline
  @inline(never)
  mutating func wrongType(expected: StaticString) -> JSONError { wrongType("\(expected)") }

  /// The error for an invalid string at `offset`.
  @usableFromInline
  @inline(never)
  func wrongText(at offset: Int, expected: StaticString) -> JSONError {
    JSONError(.wrongText, at: offset, expected: "\(expected)")
  }

  /// The error for a value of a wrong kind at the current position; if it is malformed, the error of the text instead.
  package mutating func wrongType(_ expected: String) -> JSONError {
    skipWhitespace()
    let start = position
    do throws(JSONError) { try skipValue() } catch {
      // Duplicates inside a value of the wrong kind do not matter.
      if error.isMalformed { return error }
    }
    return JSONError(.wrongType, at: start, expected: expected)
  }
}
