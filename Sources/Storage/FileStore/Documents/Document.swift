import JSON

/// A JSON object of a file or a line whose members are declared once, for reading and for writing.
protocol Document {
  /// One to be filled by reading.
  init()
  /// Hands each member to the coder, in the order in which they are written.
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError)
  /// What makes the values useless together although each can be read; nil for nothing.
  var flaw: String? { get }
}

/// A list of documents, which need not be kept as such.
protocol DocumentList {
  associatedtype Element: Document
  var count: Int { get }
  subscript(index: Int) -> Element { get }
  mutating func append(_ element: Element)
}

extension Array: DocumentList where Element: Document {}

/// When a member is there.
enum MemberPresence {
  case required
  /// It keeps its value when it is not there, and is written only if the condition holds.
  case optional(isWritten: Bool)

  static var optional: MemberPresence { .optional(isWritten: true) }

  var isRequired: Bool { if case .required = self { true } else { false } }
  var isWritten: Bool { if case .optional(isWritten: false) = self { false } else { true } }
}

/// Reads or writes the members that documents hand to it.
protocol MemberCoder: ~Copyable {
  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value, _ presence: MemberPresence)
    throws(JSONError)
  /// A member that is written if it has a value.
  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value?) throws(JSONError)
  /// A number within a range, which is looked at in reading only.
  mutating func number(_ name: StaticString, _ value: inout Int, in range: ClosedRange<Int>, _ presence: MemberPresence)
    throws(JSONError)
  mutating func object(_ name: StaticString, _ value: inout some Document, _ presence: MemberPresence) throws(JSONError)
  /// A list of documents, each on a line of its own if `isLong`.
  mutating func list(
    _ name: StaticString, _ values: inout some DocumentList, isLong: Bool, _ presence: MemberPresence) throws(JSONError)
  /// Lets the next member begin on a new line.
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

  /// Reads a text; its checksum is the caller's business. Members that are not declared are passed over.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = try DocumentReader(text)
    self = try reader.readAll()
  }

  /// The same from an array of bytes.
  init(reading text: [UInt8]) throws(JSONError) {
    self = try text.lend { text throws(JSONError) in try Self(reading: text) }
  }

  /// Reads the bytes of a file or a line with its newline, and verifies the checksum.
  init(checking bytes: [UInt8]) throws(DocumentDamage) {
    self = try bytes.lend { file throws(DocumentDamage) in
      let text = UnsafeRawBufferPointer(rebasing: file.dropLast())
      guard file.last == UInt8(ascii: "\n"), LineSuffix.isValid(text) else {
        throw DocumentDamage(reason: "the checksum does not fit")
      }
      do throws(JSONError) { return try Self(reading: text) } catch { throw DocumentDamage(reason: error.description) }
    }
  }

  /// The text, closed by its checksum and a newline.
  func text(capacity: Int = 512) -> [UInt8] {
    var coder = DocumentWriter(capacity: capacity)
    coder.write(self)
    return coder.closed()
  }
}

/// Why a text is not what was once written.
struct DocumentDamage: Error, Equatable { let reason: String }
