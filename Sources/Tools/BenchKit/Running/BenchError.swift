/// Why a measurement failed.
package struct BenchError: Error {
  /// The kind of failure, which determines the exit status.
  package enum Kind {
    /// A server answered wrongly, stopped answering or died.
    case wrong
    /// The command line is wrong, or something it names is missing.
    case usage
    /// The subject of the measure does not exist here; not a defect.
    case unavailable
  }

  package let kind: Kind
  package let message: String

  package static func wrong(_ message: String) -> BenchError { BenchError(kind: .wrong, message: message) }
  package static func usage(_ message: String) -> BenchError { BenchError(kind: .usage, message: message) }
  package static func unavailable(_ message: String) -> BenchError { BenchError(kind: .unavailable, message: message) }
}
