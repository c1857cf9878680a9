import JSON
import Platform

/// Reads documents with members in any order; members in the declared order, as this code writes them, take one pass.
struct DocumentReader: MemberCoder, ~Copyable {
  /// What `code` does with a declared member.
  private enum Purpose {
    /// Read it if it comes next in the text.
    case next
    /// Read it if it is the member just found.
    case met
    /// Read nothing; note a required member that was not found as missing.
    case check
  }

  private var reader: JSONReader
  private var object: JSONObjectCursor
  private var purpose = Purpose.next
  /// The number of the next declared member.
  private var number: UInt64 = 0
  /// Whether the member just found was declared.
  private var isFound = false
  /// Whether certainly no required member is missing.
  private var isComplete = false
  private var missing: StaticString?
  /// Whether an undeclared member was found.
  private(set) var hasUnknownMembers = false

  init(_ text: UnsafeRawBufferPointer) throws(JSONError) {
    reader = JSONReader(text)
    reader.refusesUnknownMembers = false
    object = try reader.beginObject()
  }

  /// Reads the document that is the whole text.
  mutating func readAll<Value: Document>() throws(JSONError) -> Value {
    let document: Value = try readFirst()
    try reader.finish()
    return document
  }

  /// Reads the document at the beginning of the text.
  mutating func readFirst<Value: Document>() throws(JSONError) -> Value {
    var document = Value()
    try read(&document)
    return document
  }

  /// Reads a document that is complete with the first members of the text; the rest is not read.
  mutating func readBeginning<Value: Document>() throws(JSONError) -> Value {
    var document = Value()
    try readBeginning(of: &document)
    return document
  }

  /// Reads such a document in place; after a failure it has what was read until then.
  mutating func readBeginning(of document: inout some Document) throws(JSONError) {
    try readNext(&document)
    while !isComplete {
      guard try reader.nextMember(&object) else { throw reader.missing(missing(in: &document) ?? "", object) }
      try readMember(&document)
      isComplete = missing(in: &document) == nil
    }
  }

  private mutating func read(_ document: inout some Document) throws(JSONError) {
    try readNext(&document)
    while try reader.nextMember(&object) { try readMember(&document) }
    if !isComplete, let missing = missing(in: &document) { throw reader.missing(missing, object) }
    if let flaw = document.flaw { throw JSONError(.outOfRange, at: object.start, expected: flaw) }
  }

  /// Reads the members that are in the declared order.
  private mutating func readNext(_ document: inout some Document) throws(JSONError) {
    (number, purpose, isComplete) = (0, .next, true)
    try document.code(&self)
  }

  /// Reads the member just found, if it is declared.
  private mutating func readMember(_ document: inout some Document) throws(JSONError) {
    if try reader.member("crc", 63, &object) { return try reader.skipValue() }
    (number, purpose, isFound, isComplete) = (0, .met, false, false)
    try document.code(&self)
    if isFound { return }
    hasUnknownMembers = true
    try reader.unknownMember(&object, known: "")
  }

  /// The first required member that the object lacks.
  private mutating func missing(in document: inout some Document) -> StaticString? {
    (number, purpose, missing) = (0, .check, nil)
    try? document.code(&self)
    return missing
  }

  /// Reads an object inside the current one.
  private mutating func readInner(_ document: inout some Document) throws(JSONError) {
    let outer = (object, number, purpose, isComplete)
    object = try reader.beginObject()
    try read(&document)
    (object, number, purpose, isComplete) = outer
    isFound = true
  }

  /// Whether the next declared member is to be read.
  @inline(__always) private mutating func isMet(_ name: StaticString, isRequired: Bool = false) throws(JSONError)
    -> Bool
  {
    defer { number += 1 }
    switch purpose {
    case .next:
      if reader.nextMember(&object, ifNamed: name, number) { return true }
      if isRequired { isComplete = false }
    case .met:
      guard !isFound, try reader.member(name, number, &object) else { return false }
      isFound = true
      return true
    case .check: if isRequired, missing == nil, !reader.has(number, object) { missing = name }
    }
    return false
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
      if let element = plain(after: values.count > 0 ? values[values.count - 1] : nil) {
        values.append(element)
      } else {
        var element = List.Element()
        try readInner(&element)
        values.append(element)
      }
      Threads.yieldIfDue()
    }
  }

  /// Reads the next element if it is written as this code does.
  @inline(__always) private mutating func plain<Element: Document>(after previous: Element?) -> Element? {
    guard let base = reader.text.baseAddress else { return nil }
    var text = PlainReader(base: base, end: reader.text.count, at: reader.position)
    guard let element = Element(plain: &text, after: previous) else { return nil }
    reader.position = text.at
    return element
  }

  mutating func breakLine() {}
}
