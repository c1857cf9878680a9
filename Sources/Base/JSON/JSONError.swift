/// Why a text could not be read, and at which byte.
@usableFromInline
package struct JSONError: Error, Sendable, Equatable {
  /// The kinds of failure. Those up to `trailingBytes` mean malformed text, the rest a wrong shape.
  package enum Code: String, Sendable {
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that the grammar of RFC 8259 does not allow.
    case syntax
    /// Bytes that are not UTF-8, or an escape for an unpaired surrogate.
    case invalidText
    /// More than 512 nested arrays and objects.
    case tooDeep
    /// Anything but white space after the value.
    case trailingBytes
    /// An object has two members with one name.
    case duplicateMember
    /// A value of an unexpected kind.
    case wrongType
    /// A string of an invalid form, or an unknown name.
    case wrongText
    /// A value of the right kind outside the allowed range or length.
    case outOfRange
    /// A required member is missing.
    case missingMember
    /// An unknown member.
    case unknownMember
  }

  /// The contents, boxed, so that a thrown error is one word and costs each caller little code.
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
  /// The byte offset of the value, the member's name or the invalid byte.
  package var offset: Int { contents.offset }
  /// What was expected, in words, such as `an integer from 0 to 20000`.
  package var expected: String { contents.expected }
  /// The name of a missing, unknown or duplicate member.
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

  /// Whether the text is not JSON, as opposed to JSON of a wrong shape.
  package var isMalformed: Bool {
    switch code {
    case .unexpectedEnd, .syntax, .invalidText, .tooDeep, .trailingBytes: true
    case .duplicateMember, .wrongType, .wrongText, .outOfRange, .missingMember, .unknownMember: false
    }
  }

  /// Whether several members are missing.
  package var isPlural: Bool { expected.hasPrefix("the members ") }

  /// The JSON Pointer (RFC 6901) to the value at fault; `text` is the text that this error came from.
  package func pointer(in text: UnsafeRawBufferPointer) -> String {
    let (container, isWhole) = JSONPointer.find(offset: offset, in: text)
    guard let member, isWhole, member.utf8.count <= JSONPointer.longestName else { return container }
    return container + JSONPointer.token(member)
  }
}

extension JSONError: CustomStringConvertible {
  /// The name, truncated to keep messages short.
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
    case .missingMember: "\(expected) \(isPlural ? "are" : "is") missing"
    case .unknownMember: "the member “\(shortName)” is not known here"
    }
  }
}
