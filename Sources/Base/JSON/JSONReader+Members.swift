/// How a decoder treats unknown members.
package enum UnknownMembers: Sendable {
  /// Refused, unless the reader skips unknown members.
  case refused
  /// Skipped.
  case ignored
  /// Refused, except the members that the params of any method may have.
  case commonParams
}

extension JSONReader {
  /// Advances to the next member named in `names` (separated by spaces, at most 60) and returns its index there; nil at
  /// the end of the object. Throws on a duplicate.
  package mutating func nextMember(
    _ object: inout JSONObjectCursor, among names: StaticString, unknown: UnknownMembers
  ) throws(JSONError) -> Int? {
    if let number = expectedMember(&object, names) { return number }
    while try nextMember(&object) {
      if let number = memberNumber(&object, names) {
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        if object.seen & mask != 0 { throw duplicate() }
        object.seen |= mask
        return number
      }
      switch unknown {
      case .refused: try unknownMember(&object, known: names)
      case .ignored: try ignoreMember(&object)
      case .commonParams: try unknownParam(&object, known: names)
      }
    }
    return nil
  }

  /// Fast path: reads the expected next member's name and colon if they follow without white space, and returns its
  /// index; otherwise reads nothing and returns nil.
  @inline(__always)
  private mutating func expectedMember(_ object: inout JSONObjectCursor, _ names: StaticString) -> Int? {
    var at = position
    if !object.isFirst {
      guard at < end, bytes[at] == UInt8(ascii: ",") else { return nil }
      at &+= 1
    }
    guard at < end, bytes[at] == UInt8(ascii: "\"") else { return nil }
    at &+= 1
    let place = object.expected
    let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place.number)
    let stop = at &+ names.length(ofQuotedWordAt: place.offset, in: bytes + at, end &- at)
    guard stop > at, stop &+ 1 < end, bytes[stop &+ 1] == UInt8(ascii: ":"), object.seen & mask == 0 else { return nil }
    object.seen |= mask
    object.isFirst = false
    let next = place.offset &+ (stop &- at) &+ 1
    object.expected = next < names.utf8CodeUnitCount ? WordPlace(offset: next, number: place.number &+ 1) : WordPlace()
    nameStart = at
    nameEnd = stop
    nameHasEscapes = false
    position = stop &+ 2
    skipWhitespace()
    return place.number
  }

  /// The index of the member just read. Most writers keep one order, so the search starts at the expected name.
  private func memberNumber(_ object: inout JSONObjectCursor, _ names: StaticString) -> Int? {
    guard nameHasEscapes else {
      return names.number(
        ofWord: UnsafeBufferPointer(start: bytes + nameStart, count: nameEnd &- nameStart), from: &object.expected)
    }
    var name = memberName
    return name.withUTF8 { names.number(ofWord: $0, from: &object.expected) }
  }

  /// The error for the `required` members (one bit each) that are missing, at the first of them.
  @inline(never)
  package func missing(
    _ names: StaticString, required: UInt64, _ object: borrowing JSONObjectCursor
  ) -> JSONError {
    let missing = required & ~object.seen
    let absent = names.words.enumerated().filter { missing & (1 &<< UInt64($0.offset)) != 0 }.map(\.element)
    let list = absent.map { "“\($0)”" }.joined(separator: ", ")
    let expected = (absent.count > 1 ? "the members " : "the member ") + list
    return JSONError(.missingMember, at: object.start, expected: expected, member: absent.first ?? "")
  }

  /// Reads a string and returns its index in `names` (separated by spaces). With `orOther`, a reader that accepts
  /// unknown values returns any other string; otherwise it is refused.
  package mutating func word(
    among names: StaticString, orOther: Bool = false
  ) throws(JSONError) -> (number: Int, other: String?) {
    _ = peek()
    let start = position
    guard peek() == UInt8(ascii: "\"") else { throw wrongType("one of \(names.words.joined(separator: ", "))") }
    let found = try string(as: "a string") { text -> (number: Int?, text: String?) in
      var place = WordPlace()
      if let number = names.number(ofWord: text, from: &place) { return (number, nil) }
      return (nil, String(decoding: text, as: UTF8.self))
    }
    if let number = found.number { return (number, nil) }
    let name = found.text ?? ""
    if orOther, acceptsUnknownValues { return (0, name) }
    let known = names.words
    let hint = Spelling.nearest(to: name, among: known).map { "; did you mean “\($0)”?" } ?? ""
    throw JSONError(.wrongText, at: start, expected: "one of \(known.joined(separator: ", "))\(hint)")
  }
}
