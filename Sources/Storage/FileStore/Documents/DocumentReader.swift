import JSON
import Platform

/// Reads documents, in any order of their members.
struct DocumentReader: MemberCoder, ~Copyable {
  private var reader: JSONReader
  /// The object that is being read.
  private var object: JSONObjectCursor
  /// The number of the member that is declared next.
  private var number: UInt64 = 0
  /// The number of the member behind the one last met: what this code writes has its members in the order declared.
  private var expected: UInt64 = 0
  /// Whether only that one is looked for.
  private var expects = false
  /// Whether the member just met was declared already.
  private var isFound = false
  /// Whether nothing is read, but looked for members that are missing.
  private var isChecking = false
  private var missing: StaticString?
  /// Whether something was met that is not declared.
  private(set) var hasUnknownMembers = false

  init(_ text: UnsafeRawBufferPointer) throws(JSONError) {
    reader = JSONReader(text)
    reader.refusesUnknownMembers = false
    object = try reader.beginObject()
  }

  /// The document that is the whole text.
  mutating func readAll<Value: Document>() throws(JSONError) -> Value {
    let document: Value = try readFirst()
    try reader.finish()
    return document
  }

  /// The document that the text begins with.
  mutating func readFirst<Value: Document>() throws(JSONError) -> Value {
    var document = Value()
    try read(&document)
    return document
  }

  /// A document that is complete with the first members of the text; what follows is not read.
  mutating func readBeginning<Value: Document>() throws(JSONError) -> Value {
    var document = Value()
    try readBeginning(of: &document)
    return document
  }

  /// The same, which after a failure has what was read until then.
  mutating func readBeginning(of document: inout some Document) throws(JSONError) {
    while try reader.nextMember(&object) {
      try take(&document)
      if missing(in: &document) == nil { return }
    }
    throw reader.missing(missing(in: &document) ?? "", object)
  }

  private mutating func read(_ document: inout some Document) throws(JSONError) {
    while try reader.nextMember(&object) { try take(&document) }
    if let missing = missing(in: &document) { throw reader.missing(missing, object) }
    if let flaw = document.flaw { throw JSONError(.outOfRange, at: object.start, expected: flaw) }
  }

  /// Reads the member just met, if it is declared.
  private mutating func take(_ document: inout some Document) throws(JSONError) {
    for step in 0..<2 {
      (number, isFound, expects) = (0, false, step == 0)
      try document.code(&self)
      if isFound { return }
    }
    if !reader.isName("crc") { hasUnknownMembers = true }
    try reader.unknownMember(&object, known: "")
  }

  /// The first member that the object lacks.
  private mutating func missing(in document: inout some Document) -> StaticString? {
    (number, isChecking, missing) = (0, true, nil)
    try? document.code(&self)
    isChecking = false
    return missing
  }

  /// Reads an object inside the present one.
  private mutating func readInner(_ document: inout some Document) throws(JSONError) {
    let outer = (object, number, expected, expects)
    object = try reader.beginObject()
    expected = 0
    try read(&document)
    (object, number, expected, expects) = outer
    isFound = true
  }

  /// Whether the member that is declared next is the one just met.
  @inline(__always) private mutating func isMet(_ name: StaticString, isRequired: Bool = false) throws(JSONError)
    -> Bool
  {
    defer { number += 1 }
    if isChecking {
      if isRequired, missing == nil, !reader.has(number, object) { missing = name }
      return false
    }
    guard !isFound, !expects || number == expected, try reader.member(name, number, &object) else { return false }
    isFound = true
    expected = number + 1
    return true
  }

  // MARK: members

  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value, _ presence: MemberPresence)
    throws(JSONError)
  { if try isMet(name, isRequired: presence.isRequired) { value = try reader.value() } }

  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value?) throws(JSONError) {
    if try isMet(name) { value = try reader.value(Value.self) }
  }

  mutating func number(_ name: StaticString, _ value: inout Int, in range: ClosedRange<Int>, _ presence: MemberPresence)
    throws(JSONError)
  { if try isMet(name, isRequired: presence.isRequired) { value = try reader.int(in: range) } }

  mutating func object(_ name: StaticString, _ value: inout some Document, _ presence: MemberPresence) throws(JSONError)
  { if try isMet(name, isRequired: presence.isRequired) { try readInner(&value) } }

  mutating func list<List: DocumentList>(
    _ name: StaticString, _ values: inout List, isLong: Bool, _ presence: MemberPresence
  ) throws(JSONError) {
    guard try isMet(name, isRequired: presence.isRequired) else { return }
    try reader.beginArray()
    while try reader.nextElement(isFirst: values.count == 0) {
      var element = List.Element()
      try readInner(&element)
      values.append(element)
      Threads.giveWay()
    }
  }

  mutating func breakLine() {}
}
