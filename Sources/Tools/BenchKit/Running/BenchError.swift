/// Why nothing, or nothing true, could be measured.
package struct BenchError: Error {
  /// What it means for the exit status.
  package enum Kind {
    /// A server answered wrongly, went silent or died.
    case wrong
    /// The command line is not right, or something it names is missing.
    case usage
    /// What was to be measured does not exist here: no fault of anything that was measured.
    case unavailable
  }

  package let kind: Kind
  package let message: String

  package static func wrong(_ message: String) -> BenchError { BenchError(kind: .wrong, message: message) }
  package static func usage(_ message: String) -> BenchError { BenchError(kind: .usage, message: message) }
  package static func unavailable(_ message: String) -> BenchError { BenchError(kind: .unavailable, message: message) }
}
