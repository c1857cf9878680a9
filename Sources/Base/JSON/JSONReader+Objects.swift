#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The state of reading one object.
@usableFromInline
package struct JSONObjectCursor {
  /// The offset of its opening brace.
  package let start: Int
  var isFirst = true
  /// One bit for each known member that has been seen.
  @usableFromInline var seen: UInt64 = 0
  /// Whether the reader has recorded unknown names of this object.
  var hasUnknown = false
  /// The known member that is expected next.
  var expected = WordPlace()
}

/// Where members were found that the params of any method may have: ranges of their values in the text.
package struct CommonMembers: Sendable {
  package var workDoneToken: Range<Int>?
  package var partialResultToken: Range<Int>?
}

extension JSONReader {
  /// Enters an object; `expected` describes it in the error for another value.
  package mutating func beginObject(_ expected: StaticString = "an object") throws(JSONError) -> JSONObjectCursor {
    skipWhitespace()
    guard position < end, bytes[position] == UInt8(ascii: "{") else { throw wrongType("\(expected)") }
    let start = position
    try enter()
    position &+= 1
    return JSONObjectCursor(start: start)
  }

  /// Reads the next member's name and colon; returns false and leaves the object at its end.
  package mutating func nextMember(_ object: inout JSONObjectCursor) throws(JSONError) -> Bool {
    skipWhitespace()
    guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "a member or “}”") }
    if bytes[position] == UInt8(ascii: "}") {
      position &+= 1
      depth &-= 1
      if object.hasUnknown { kept.forget(object.start) }
      return false
    }
    if object.isFirst {
      object.isFirst = false
    } else {
      try expect(UInt8(ascii: ","), "“,” or “}”")
      skipWhitespace()
    }
    try scanName()
    return true
  }

  /// Fast path: reads the next member's name and colon if it is `name`, unescaped, with at most a line break before it;
  /// `bit` is its index among the known members. Otherwise reads nothing and returns false.
  package mutating func nextMember(_ object: inout JSONObjectCursor, ifNamed name: StaticString, _ bit: UInt64) -> Bool
  {
    let count = name.utf8CodeUnitCount
    var at = position
    guard at &+ count &+ 5 <= end else { return false }
    if !object.isFirst {
      guard bytes[at] == UInt8(ascii: ",") else { return false }
      at &+= bytes[at &+ 1] == UInt8(ascii: "\n") ? 2 : 1
    }
    let stop = at &+ count &+ 1
    guard bytes[at] == UInt8(ascii: "\""), bytes[stop] == UInt8(ascii: "\""), bytes[stop &+ 1] == UInt8(ascii: ":"),
      object.seen & (1 &<< bit) == 0, StringScan.areSame(bytes + at + 1, name.utf8Start, count)
    else { return false }
    object.seen |= 1 &<< bit
    object.isFirst = false
    position = stop &+ 2
    return true
  }

  /// Reads a quoted name and its colon.
  mutating func scanName() throws(JSONError) {
    guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "a member's name") }
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw JSONError(.syntax, at: position, expected: "a member's name")
    }
    let (start, stop, escaped) = try scanString()
    nameStart = start
    nameEnd = stop
    nameHasEscapes = escaped
    if position < end, bytes[position] == UInt8(ascii: ":") {
      position &+= 1
    } else {
      try expect(UInt8(ascii: ":"), "“:”")
    }
    skipWhitespace()
  }

  /// Whether the member just read is `name`, whose index among the known members is `bit` (0…63). Throws on a
  /// duplicate.
  // Inlined with a known name, this compares two lengths and one or two machine words.
  @inlinable
  @inline(__always)
  package mutating func member(
    _ name: StaticString, _ bit: UInt64, _ object: inout JSONObjectCursor
  ) throws(JSONError) -> Bool {
    guard isName(name) else { return false }
    let mask: UInt64 = 1 &<< bit
    if object.seen & mask != 0 { throw duplicate() }
    object.seen |= mask
    return true
  }

  /// Whether the member with index `bit` has been seen.
  @inlinable
  @inline(__always)
  package func has(_ bit: UInt64, _ object: borrowing JSONObjectCursor) -> Bool { object.seen & (1 &<< bit) != 0 }

  /// Whether the member just read is `name`.
  @inlinable
  @inline(__always)
  package func isName(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard nameEnd &- nameStart == count, !nameHasEscapes else { return nameHasEscapes && isEscapedName(name) }
    return memcmp(bytes + nameStart, name.utf8Start, count) == 0
  }

  @usableFromInline
  @inline(never)
  func isEscapedName(_ name: StaticString) -> Bool { memberName == "\(name)" }

  /// The name of the member just read.
  package var memberName: String { decode(nameStart, nameEnd, hasEscapes: nameHasEscapes) }

  /// The error for a repeated member.
  @usableFromInline
  @inline(never)
  func duplicate() -> JSONError {
    JSONError(.duplicateMember, at: nameStart &- 1, expected: "each member once", member: memberName)
  }

  /// Handles an unknown member: skips it, or refuses it with the nearest of the known names (separated by spaces).
  package mutating func unknownMember(
    _ object: inout JSONObjectCursor, known: StaticString
  ) throws(JSONError) {
    let name = try unknownName(&object)
    if refusesUnknownMembers {
      let offset = nameStart &- 1
      try skipValue()
      let names = "\(known)".split(separator: " ").map(String.init)
      let hint = Spelling.nearest(to: name, among: names).map { "did you mean “\($0)”?" }
      throw JSONError(
        .unknownMember, at: offset,
        expected: hint ?? (names.isEmpty ? "no members" : "one of " + names.joined(separator: ", ")), member: name)
    }
    try skipValue()
  }

  /// Records the name of an unknown member; throws on a duplicate.
  private mutating func unknownName(_ object: inout JSONObjectCursor) throws(JSONError) -> String {
    object.hasUnknown = true
    let name = memberName
    guard kept.insert(name, of: object.start) else { throw duplicate() }
    return name
  }

  /// Skips an unknown member even if the reader refuses unknown members.
  package mutating func ignoreMember(_ object: inout JSONObjectCursor) throws(JSONError) {
    let refused = refusesUnknownMembers
    refusesUnknownMembers = false
    defer { refusesUnknownMembers = refused }
    try unknownMember(&object, known: "")
  }

  /// Handles an unknown member of params: accepts `workDoneToken`, `partialResultToken` and `_meta`.
  package mutating func unknownParam(
    _ object: inout JSONObjectCursor, known: StaticString
  ) throws(JSONError) {
    if isName("workDoneToken") || isName("partialResultToken") || isName("_meta") {
      let name = try unknownName(&object)
      let start = position
      if name != "_meta" { try expectToken() }
      try skipValue()
      if name == "workDoneToken" { common.workDoneToken = start..<position }
      if name == "partialResultToken" { common.partialResultToken = start..<position }
      return
    }
    try unknownMember(&object, known: known)
  }

  /// Throws unless the next value is a string or an integer.
  private mutating func expectToken() throws(JSONError) {
    let start = position
    if peek() != UInt8(ascii: "\"") {
      guard let number = try? numberLexeme(), number.integer != nil else {
        position = start
        let error = wrongType("a string or an integer")
        throw error.isMalformed ? error : JSONError(.wrongType, at: start, expected: error.expected)
      }
    }
    position = start
  }

  /// The error for a missing member.
  package func missing(_ member: StaticString, _ object: borrowing JSONObjectCursor) -> JSONError {
    JSONError(.missingMember, at: object.start, expected: "the member “\(member)”", member: "\(member)")
  }
}
