/// One problem found in a store.
package struct Finding: Sendable, Equatable {
  package enum Severity: Int, Sendable, Comparable {
    /// Information only, as after a crash or a full disk.
    case note
    /// A problem by which no stored data is lost.
    case warning
    /// Stored data is lost, or may be.
    case damage

    package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
  }

  package var kind: Kind
  package var severity: Severity
  /// The file's path within the data folder; empty for the whole folder.
  package var file: String
  /// The range in the file, in bytes; empty when unknown.
  package var offset: Int
  package var length: Int
  /// The sequence number of the previous good line; 0 when there is none.
  package var previousSequence: Int
  /// The sequence number of the next good line, if any.
  package var nextSequence: Int?
  package var reason: String

  init(
    _ kind: Kind, _ file: String, at range: Range<Int> = 0..<0, after previous: Int = 0, before next: Int? = nil,
    _ reason: String
  ) {
    self.kind = kind
    severity = kind.severity
    self.file = file
    (offset, length) = (range.lowerBound, range.count)
    (previousSequence, nextSequence) = (previous, next)
    self.reason = reason
  }

  /// A file or folder with permissions for others.
  static func openToOthers(_ file: String, _ status: FileStatus) -> Finding {
    Finding(.wrongMode, file, "mode \(String(status.mode, radix: 8))")
  }

  /// The same finding about a journal whose transactions are in the segments.
  var asHistoryDamage: Finding {
    Finding(
      .damagedHistory, file, at: offset..<(offset + length), after: previousSequence, before: nextSequence,
      "\(kind.rawValue): \(reason)")
  }

  func isSame(as other: Finding) -> Bool { kind == other.kind && file == other.file && offset == other.offset }
}
