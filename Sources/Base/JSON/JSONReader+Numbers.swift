extension JSONReader {
  /// The integers that every client can represent exactly, ±(2^53 − 1).
  @usableFromInline
  package static let safeIntegers: ClosedRange<Int> = -9_007_199_254_740_991...9_007_199_254_740_991

  /// Reads an integer within `range`; `7.0` and `7e0` are the integer 7, `7.5` is not one.
  @usableFromInline
  package mutating func int(in range: ClosedRange<Int> = safeIntegers) throws(JSONError) -> Int {
    skipWhitespace()
    let start = position
    guard start < end else { throw JSONError(.unexpectedEnd, at: start, expected: "an integer") }
    var at = start
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative { at &+= 1 }
    let digits = at
    var value = 0
    // Seventeen digits cannot overflow; longer numbers take the slow path.
    while at < end, at &- digits < 17 {
      let digit = bytes[at] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      at &+= 1
    }
    let isPlain =
      at > digits && (at == end || !JSONNumber.continues(bytes[at]))
      && (at &- digits == 1 || bytes[digits] != UInt8(ascii: "0"))
    if isPlain {
      position = at
      if isNegative { value = 0 &- value }
    } else {
      guard isNegative || bytes[start] &- UInt8(ascii: "0") < 10 else { throw wrongType(JSONReader.integer(in: range)) }
      let lexeme = try numberLexeme()
      guard let integer = lexeme.integer else {
        throw JSONError(.wrongType, at: start, expected: JSONReader.integer(in: range))
      }
      value = integer
    }
    guard range.contains(value) else {
      throw JSONError(.outOfRange, at: start, expected: JSONReader.integer(in: range))
    }
    return value
  }

  /// The description of an integer within a range.
  @usableFromInline
  static func integer(in range: ClosedRange<Int>) -> String {
    range == safeIntegers ? "an integer" : "an integer from \(range.lowerBound) to \(range.upperBound)"
  }

  /// Reads a number with its lexeme.
  package mutating func numberLexeme() throws(JSONError) -> JSONNumber {
    skipWhitespace()
    let start = position
    guard start < end, bytes[start] == UInt8(ascii: "-") || bytes[start] &- UInt8(ascii: "0") < 10 else {
      throw wrongType("a number")
    }
    try scanNumber()
    return JSONNumber(
      checked: String(decoding: UnsafeBufferPointer(start: bytes + start, count: position &- start), as: UTF8.self))
  }

  /// Reads a finite number.
  @usableFromInline
  package mutating func double() throws(JSONError) -> Double {
    skipWhitespace()
    let start = position
    let number = try numberLexeme()
    guard let value = Double(number.lexeme), value.isFinite else {
      throw JSONError(.outOfRange, at: start, expected: "a finite number")
    }
    return value
  }

  /// Skips a number in the grammar of RFC 8259 §6.
  mutating func scanNumber() throws(JSONError) {
    if position < end, bytes[position] == UInt8(ascii: "-") { position &+= 1 }
    let first = position
    try scanDigits()
    if bytes[first] == UInt8(ascii: "0"), position > first &+ 1 {
      throw JSONError(.syntax, at: first &+ 1, expected: "no digit after a leading zero")
    }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position &+= 1
      try scanDigits()
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < end, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position &+= 1 }
      try scanDigits()
    }
  }

  private mutating func scanDigits() throws(JSONError) {
    let start = position
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
    if position == start {
      throw JSONError(position < end ? .syntax : .unexpectedEnd, at: position, expected: "a digit")
    }
  }
}
