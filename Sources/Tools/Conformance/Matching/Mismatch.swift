import JSON

/// The first place where a value is not what it has to be.
package struct Mismatch: Error, Sendable, Equatable, CustomStringConvertible {
  /// JSON Pointer of the place within the message.
  package var pointer: String
  /// What was expected, in words or as JSON.
  package var expected: String
  /// What was found, in words or as JSON.
  package var found: String

  /// A difference at a place.
  package init(_ pointer: String, expected: String, found: String) {
    self.pointer = pointer
    self.expected = expected
    self.found = found
  }

  /// A difference at a place where some value stands.
  package init(_ pointer: String, expected: String, found value: JSONValue) {
    self.init(pointer, expected: expected, found: PrettyText.short(value))
  }

  /// One line.
  package var description: String {
    "at \(pointer.isEmpty ? "the message itself" : pointer): expected \(expected), found \(found)"
  }
}
