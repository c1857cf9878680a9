/// Why a text could not be read: what is wrong, and at which byte.
@usableFromInline
package struct JSONError: Error, Sendable, Equatable {
  /// The kinds of failure. Those up to `duplicateMember` say the text itself is bad, the rest that its shape is not the one asked for.
  package enum Code: String, Sendable {
    /// The text ends in the middle of a value.
    case unexpectedEnd
    /// A byte that the grammar of RFC 8259 does not allow here.
    case syntax
    /// Bytes that are not UTF-8, or an escape that names half of a surrogate pair.
    case invalidText
    /// More than 512 arrays and objects inside each other.
    case tooDeep
    /// Something other than white space after the value.
    case trailingBytes
    /// An object has two members of one name.
    case duplicateMember
    /// A value of another kind than the one expected.
    case wrongType
    /// A string that is none of those allowed: not of the form that was asked for, or no name that is known.
    case wrongText
    /// A value of the right kind outside the allowed range or length.
    case outOfRange
    /// A member that has to be there is not.
    case missingMember
    /// A member that nobody knows.
    case unknownMember
  }

  /// The contents, behind a reference: a thrown error is then one word, and passing it on costs every caller little code.
  private final class Contents: Sendable {
    let code: Code
    let offset: Int
    let expected: String
    let member: String?

    init(_ code: Code, _ offset: Int, _ expected: String, _ member: String?) {
      self.code = code
      self.offset = offset
      self.expected = expected
      self.member = member
    }
  }

  private let contents: Contents

  package var code: Code { contents.code }
  /// Offset in bytes from the start of the text: of the value, of the member's name, or of the byte at fault.
  package var offset: Int { contents.offset }
  /// What was expected or allowed, in words: `an integer from 0 to 20000`.
  package var expected: String { contents.expected }
  /// The member concerned, for a missing, unknown or duplicate one.
  package var member: String? { contents.member }

  @inline(never)
  package init(_ code: Code, at offset: Int, expected: String, member: String? = nil) {
    contents = Contents(code, offset, expected, member)
  }

  @usableFromInline
  package static func == (left: JSONError, right: JSONError) -> Bool {
    left.code == right.code && left.offset == right.offset && left.expected == right.expected
      && left.member == right.member
  }

  /// Whether the text is not JSON at all, as opposed to JSON of another shape.
  package var isMalformed: Bool {
    switch code {
    case .unexpectedEnd, .syntax, .invalidText, .tooDeep, .trailingBytes: true
    case .duplicateMember, .wrongType, .wrongText, .outOfRange, .missingMember, .unknownMember: false
    }
  }

  /// The JSON Pointer (RFC 6901) of the value at fault within `text`, the text this error came from.
  package func pointer(in text: UnsafeRawBufferPointer) -> String {
    let (container, isWhole) = JSONPointer.find(offset: offset, in: text)
    guard let member, isWhole, member.utf8.count <= JSONPointer.longestName else { return container }
    return container + JSONPointer.token(member)
  }
}

extension JSONError: CustomStringConvertible {
  /// The beginning of the member's name: messages for people stay short, however long the name is.
  private var shortName: String {
    guard let member, member.utf8.count > 64 else { return member ?? "" }
    return String(String.UnicodeScalarView(member.unicodeScalars.prefix(63))) + "…"
  }

  /// One sentence for people.
  @usableFromInline
  package var description: String {
    switch code {
    case .unexpectedEnd: "the text ends at byte \(offset), where \(expected) was expected"
    case .syntax: "unexpected byte at \(offset): \(expected) was expected"
    case .invalidText: "invalid text at byte \(offset): \(expected) was expected"
    case .tooDeep: "nesting deeper than \(JSONReader.maximumDepth) at byte \(offset)"
    case .trailingBytes: "unexpected bytes after the value, from byte \(offset)"
    case .duplicateMember: "the member “\(shortName)” appears twice"
    case .wrongType, .wrongText: "expected \(expected)"
    case .outOfRange: "out of range: expected \(expected)"
    case .missingMember: "the member “\(shortName)” is missing"
    case .unknownMember: "the member “\(shortName)” is not known here"
    }
  }
}
