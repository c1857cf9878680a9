extension JSONReader {
  /// Reads a string of any length.
  @usableFromInline
  package mutating func string() throws(JSONError) -> String {
    skipWhitespace()
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { throw wrongType("a string") }
    let (start, stop, escaped) = try scanString()
    return decode(start, stop, hasEscapes: escaped)
  }

  /// Reads a string and parses its UTF-8 bytes; nil from `parse` is refused as not `expected`.
  // Inlinable: unspecialized, every call would request the metadata of `Value?` from the runtime.
  @inlinable
  package mutating func string<Value>(
    as expected: StaticString, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
  ) throws(JSONError) -> Value {
    skipWhitespace()
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { throw wrongType(expected: expected) }
    let opening = position
    let (start, stop, escaped) = try scanString()
    let value: Value?
    if escaped {
      var text = decode(start, stop, hasEscapes: true)
      value = text.withUTF8(parse)
    } else {
      value = parse(UnsafeBufferPointer(start: bytes + start, count: stop &- start))
    }
    guard let value else { throw wrongText(at: opening, expected: expected) }
    return value
  }

  /// Fast path: parses the next value if it is a string of `length` bytes; otherwise reads nothing and returns nil.
  /// `parse` must reject bytes that need escapes.
  @inlinable
  @inline(__always)
  package mutating func string<Value>(
    ofLength length: Int, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
  ) -> Value? {
    guard position &+ length &+ 2 <= end, bytes[position] == UInt8(ascii: "\""),
      bytes[position &+ length &+ 1] == UInt8(ascii: "\""),
      let value = parse(UnsafeBufferPointer(start: bytes + position + 1, count: length))
    else { return nil }
    position &+= length &+ 2
    return value
  }

  /// Validates and skips the string whose quote is next; returns the range of its contents, and whether it has escapes.
  @usableFromInline
  mutating func scanString() throws(JSONError) -> (start: Int, end: Int, hasEscapes: Bool) {
    let opening = position
    var at = position &+ 1
    let start = at
    var escaped = false
    while true {
      // Skips plain ASCII bytes, eight at a time.
      at = StringScan.firstSpecial(bytes, from: at, to: end)
      guard at < end else {
        throw JSONError(.unexpectedEnd, at: at, expected: "the end of the string begun at \(opening)")
      }
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        position = at &+ 1
        return (start, at, escaped)
      }
      if byte == UInt8(ascii: "\\") {
        escaped = true
        at = try scanEscape(at)
      } else if byte < 0x20 {
        throw JSONError(.syntax, at: at, expected: "an escape instead of a control character")
      } else {
        let length = UTF8Scan.length(bytes + at, count: end &- at)
        guard length > 0 else { throw JSONError(.invalidText, at: at, expected: "UTF-8") }
        at &+= length
      }
    }
  }

  /// The offset after the escape at `at`; surrogates must come in pairs.
  private func scanEscape(_ at: Int) throws(JSONError) -> Int {
    guard at &+ 1 < end else { throw JSONError(.unexpectedEnd, at: at, expected: "an escape") }
    switch bytes[at &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return at &+ 2
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(at &+ 2)
      guard unit & 0xF800 == 0xD800 else { return at &+ 6 }
      guard unit < 0xDC00, at &+ 7 < end, bytes[at &+ 6] == UInt8(ascii: "\\"), bytes[at &+ 7] == UInt8(ascii: "u"),
        try hexadecimal(at &+ 8) & 0xFC00 == 0xDC00
      else { throw JSONError(.invalidText, at: at, expected: "both halves of a surrogate pair") }
      return at &+ 12
    default:
      throw JSONError(.syntax, at: at, expected: "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
  }

  /// The value of four hexadecimal digits.
  func hexadecimal(_ at: Int) throws(JSONError) -> UInt16 {
    guard at &+ 4 <= end else { throw JSONError(.unexpectedEnd, at: end, expected: "four hexadecimal digits") }
    var value: UInt16 = 0
    for index in at..<at &+ 4 {
      let digit: UInt8
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] &- UInt8(ascii: "a") &+ 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] &- UInt8(ascii: "A") &+ 10
      default: throw JSONError(.syntax, at: index, expected: "four hexadecimal digits")
      }
      value = value &<< 4 | UInt16(digit)
    }
    return value
  }

  /// Decodes a range that `scanString` has validated.
  @usableFromInline
  func decode(_ start: Int, _ stop: Int, hasEscapes: Bool) -> String {
    let count = stop &- start
    guard hasEscapes else {
      return String(decoding: UnsafeBufferPointer(start: bytes + start, count: count), as: UTF8.self)
    }
    // An escape is never shorter than its UTF-8 bytes.
    return String(unsafeUninitializedCapacity: count) { buffer in
      var at = start
      var length = 0
      func put(_ byte: UInt8) {
        buffer[length] = byte
        length += 1
      }
      while at < stop {
        guard bytes[at] == UInt8(ascii: "\\"), at &+ 1 < stop else {
          put(bytes[at])
          at &+= 1
          continue
        }
        at &+= 2
        switch bytes[at &- 1] {
        case UInt8(ascii: "b"): put(0x08)
        case UInt8(ascii: "f"): put(0x0C)
        case UInt8(ascii: "n"): put(0x0A)
        case UInt8(ascii: "r"): put(0x0D)
        case UInt8(ascii: "t"): put(0x09)
        case UInt8(ascii: "u"):
          var scalar = UInt32((try? hexadecimal(at)) ?? 0xFFFD)
          at &+= 4
          if scalar & 0xFC00 == 0xD800 {
            let low = UInt32((try? hexadecimal(at &+ 2)) ?? 0xDC00)
            at &+= 6
            scalar = 0x10000 &+ (scalar & 0x3FF) &<< 10 &+ (low & 0x3FF)
          }
          for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
            put(byte)
          }
        default: put(bytes[at &- 1])
        }
      }
      return length
    }
  }
}
