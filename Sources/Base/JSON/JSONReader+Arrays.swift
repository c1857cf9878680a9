extension JSONReader {
  /// Enters an array.
  @usableFromInline
  package mutating func beginArray(_ expected: StaticString = "an array") throws(JSONError) {
    skipWhitespace()
    guard position < end, bytes[position] == UInt8(ascii: "[") else { throw wrongType("\(expected)") }
    try enter()
    position &+= 1
  }

  /// Advances to the next element; returns false and leaves the array at its end.
  @usableFromInline
  package mutating func nextElement(isFirst: Bool) throws(JSONError) -> Bool {
    skipWhitespace()
    guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "an element or “]”") }
    if bytes[position] == UInt8(ascii: "]") {
      position &+= 1
      depth &-= 1
      return false
    }
    if !isFirst {
      try expect(UInt8(ascii: ","), "“,” or “]”")
      skipWhitespace()
      guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "an element") }
    }
    return true
  }

  /// Reads an array of at most `maximum` values.
  @inlinable
  package mutating func array<Element: JSONDecodable>(
    of type: Element.Type = Element.self, maximum: Int = .max
  ) throws(JSONError) -> [Element] {
    skipWhitespace()
    let start = position
    var elements: [Element] = []
    try beginArray()
    while try nextElement(isFirst: elements.isEmpty) {
      if elements.count == maximum {
        throw tooManyElements(start, maximum)
      }
      elements.append(try Element(from: &self))
    }
    return elements
  }

  @usableFromInline
  @inline(never)
  func tooManyElements(_ start: Int, _ maximum: Int) -> JSONError {
    JSONError(.outOfRange, at: start, expected: "an array of at most \(maximum) elements")
  }

  /// Reads an object as a dictionary.
  package mutating func map<Element: JSONDecodable>(
    of type: Element.Type = Element.self
  ) throws(JSONError) -> [String: Element] {
    var elements: [String: Element] = [:]
    var object = try beginObject()
    while try nextMember(&object) {
      let name = memberName
      if elements[name] != nil { throw duplicate() }
      elements[name] = try Element(from: &self)
    }
    return elements
  }
}
