import JSON

/// A JSON object in a file or a line, whose members are declared once for both reading and writing.
protocol Document {
  /// An empty document, to be filled by reading.
  init()
  /// Passes each member to the coder, in the order in which they are written.
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError)
  /// Why individually valid members are invalid together; nil when they are valid.
  var flaw: String? { get }
  /// Reads a document that is written exactly as this code does; nil leaves it to parsing. Worth having only for the
  /// elements of long lists: it may use the one before.
  init?(plain text: inout PlainReader, after previous: Self?)
}

/// A list of documents, possibly stored in another form.
protocol DocumentList {
  associatedtype Element: Document
  var count: Int { get }
  subscript(index: Int) -> Element { get }
  mutating func append(_ element: Element)
}

extension Array: DocumentList where Element: Document {}

enum MemberPresence {
  case required
  /// It keeps its value when absent, and is written only if `isWritten`.
  case optional(isWritten: Bool)

  static var optional: MemberPresence { .optional(isWritten: true) }

  var isRequired: Bool { if case .required = self { true } else { false } }
  var isWritten: Bool { if case .optional(isWritten: false) = self { false } else { true } }
}

/// Reads or writes the members that documents pass to it.
protocol MemberCoder: ~Copyable {
  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value, _ presence: MemberPresence)
    throws(JSONError)
  /// A member that is written only if it has a value.
  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value?) throws(JSONError)
  /// A number whose range is checked when reading.
  mutating func number(_ name: StaticString, _ value: inout Int, in range: ClosedRange<Int>, _ presence: MemberPresence)
    throws(JSONError)
  mutating func object(_ name: StaticString, _ value: inout some Document, _ presence: MemberPresence) throws(JSONError)
  /// A list of documents, each on its own line if `isLong`.
  mutating func list(
    _ name: StaticString, _ values: inout some DocumentList, isLong: Bool, _ presence: MemberPresence) throws(JSONError)
  /// Starts the next member on a new line.
  mutating func breakLine()
}

extension MemberCoder where Self: ~Copyable {
  @inline(__always) mutating func value(_ name: StaticString, _ value: inout some DocumentValue) throws(JSONError) {
    try self.value(name, &value, .required)
  }

  @inline(__always) mutating func number(_ name: StaticString, _ value: inout Int, in range: ClosedRange<Int>)
    throws(JSONError)
  { try number(name, &value, in: range, .required) }
}

extension Document {
  var flaw: String? { nil }

  init?(plain text: inout PlainReader, after previous: Self?) { return nil }

  /// Parses a text; the caller checks the checksum. Undeclared members are skipped.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = try DocumentReader(text)
    self = try reader.readAll()
  }

  init(reading text: [UInt8]) throws(JSONError) {
    self = try text.lend { text throws(JSONError) in try Self(reading: text) }
  }

  /// Parses the bytes of a file or a line with its newline, and verifies the checksum.
  init(checking bytes: [UInt8]) throws(DocumentDamage) {
    self = try bytes.lend { file throws(DocumentDamage) in
      let text = UnsafeRawBufferPointer(rebasing: file.dropLast())
      guard file.last == UInt8(ascii: "\n"), LineSuffix.isValid(text) else {
        throw DocumentDamage(reason: "the checksum does not match")
      }
      do throws(JSONError) { return try Self(reading: text) } catch { throw DocumentDamage(reason: error.description) }
    }
  }

  /// The text, with its checksum and a newline.
  func text(capacity: Int = 512) -> [UInt8] {
    var coder = DocumentWriter(capacity: capacity)
    coder.write(self)
    return coder.closed()
  }
}

struct DocumentDamage: Error, Equatable { let reason: String }
