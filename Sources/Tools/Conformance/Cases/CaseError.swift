/// A mistake in a case, or in another file of the suite, with its place.
package struct CaseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file, as it is shown to people.
  package let file: String
  /// The line, counted from 1; 0 when the file as a whole is meant.
  package let line: Int
  /// What is wrong, and what was expected.
  package let message: String

  /// A mistake in a file as a whole.
  package init(_ file: String, _ message: String) { self.init(file, 0, message) }

  /// A mistake at a line.
  package init(_ file: String, _ line: Int, _ message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// `file:line: message`.
  package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}
