import Digits

extension JSONWriter {
  package mutating func writeNull() { append("null") }

  @usableFromInline
  package mutating func write(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  @usableFromInline
  package mutating func write(_ value: Int) {
    reserve(JSONWriter.longestInteger)
    count = JSONWriter.put(value, at: base + count) &- base
  }

  /// The maximum length of an integer, in bytes.
  static var longestInteger: Int { 21 }

  /// Writes an integer and returns the address after it.
  @inline(__always)
  static func put(_ value: Int, at target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var target = target
    if value < 0 {
      target[0] = UInt8(ascii: "-")
      target += 1
    }
    return target + Digits.write(UInt64(value.magnitude), to: target)
  }

  /// Writes the shortest text that reads back as the same number: `100.0` as `100`, non-finite values as `null`.
  @usableFromInline
  package mutating func write(_ value: Double) {
    guard value.isFinite else { return writeNull() }
    if value == value.rounded(.towardZero), abs(value) < 9_007_199_254_740_992 { return write(Int(value)) }
    var text = value.description
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a number's lexeme.
  package mutating func write(_ value: JSONNumber) {
    var text = value.lexeme
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a string with minimal escaping.
  @usableFromInline
  package mutating func write(_ value: String) {
    var text = value
    text.withUTF8 { write(utf8: $0) }
  }

  /// Writes a string that needs no escapes.
  package mutating func write(plain value: String) {
    var text = value
    text.withUTF8 { text in
      reserve(text.count &+ 2)
      append(UInt8(ascii: "\""))
      append(UnsafeRawBufferPointer(text))
      append(UInt8(ascii: "\""))
    }
  }

  /// Writes a string from valid UTF-8 bytes.
  package mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
    reserve(text.count &+ 2)
    base[count] = UInt8(ascii: "\"")
    count &+= 1
    if let source = text.baseAddress {
      let plain = StringScan.copy(source, to: base + count, text.count)
      count &+= plain
      if plain < text.count { writeEscaped(source, from: plain, to: text.count) }
    }
    append(UInt8(ascii: "\""))
  }

  /// Writes the rest of a string from the first byte that needs an escape.
  @inline(never)
  private mutating func writeEscaped(_ source: UnsafePointer<UInt8>, from start: Int, to end: Int) {
    var at = start
    while at < end {
      if StringScan.isEscaped(byte: source[at]) {
        escape(source[at])
        at &+= 1
      }
      reserve(end &- at)
      let plain = StringScan.copy(source + at, to: base + count, end &- at)
      count &+= plain
      at &+= plain
    }
  }

  /// Writes a string that needs no escapes: `body` writes at most `room` bytes and returns their count.
  @inlinable
  package mutating func writeText(room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    reserve(room &+ 2)
    base[count] = UInt8(ascii: "\"")
    let length = min(room, max(0, body(base + count + 1)))
    base[count &+ length &+ 1] = UInt8(ascii: "\"")
    count &+= length &+ 2
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    default:
      append("\\u00")
      for nibble in [byte >> 4, byte & 15] {
        append(nibble < 10 ? UInt8(ascii: "0") &+ nibble : UInt8(ascii: "a") &+ nibble &- 10)
      }
    }
  }
}
