/// What a decoder does with the members that it does not know.
package enum UnknownMembers: Sendable {
  /// They are refused, or skipped by a reader that does so.
  case refused
  /// They are skipped.
  case ignored
  /// They are refused but for those that the params of any method may carry.
  case commonParams
}

extension JSONReader {
  /// Reads on to the next member whose name is among `names` (separated by spaces, at most 60), and gives its number there; nil at the
  /// end of the object. Throws when it is there for the second time.
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

  /// Reads the name and the colon of the member that is expected next, if it stands there without white space, and gives its number. Else
  /// nil, with nothing read.
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

  /// The number of the member just read. Most writers keep to one order, so that it is the expected one.
  private func memberNumber(_ object: inout JSONObjectCursor, _ names: StaticString) -> Int? {
    guard nameHasEscapes else {
      return names.number(
        ofWord: UnsafeBufferPointer(start: bytes + nameStart, count: nameEnd &- nameStart), from: &object.expected)
    }
    var name = memberName
    return name.withUTF8 { names.number(ofWord: $0, from: &object.expected) }
  }

  /// The error that the first of the `required` members (one bit each) that has not been seen is missing.
  @inline(never)
  package func missing(
    _ names: StaticString, required: UInt64, _ object: borrowing JSONObjectCursor
  ) -> JSONError {
    let number = (required & ~object.seen).trailingZeroBitCount
    let words = names.words
    let name = words.indices.contains(number) ? words[number] : ""
    return JSONError(.missingMember, at: object.start, expected: "the member “\(name)”", member: name)
  }

  /// The number of the next value, a string, among `names` (separated by spaces). With `orOther`, a reader that accepts unknown values
  /// gives another string itself; else that is refused.
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
