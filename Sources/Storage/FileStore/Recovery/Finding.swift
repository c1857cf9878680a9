/// One thing about a store that is not as it should be.
package struct Finding: Sendable, Equatable {
  /// How much a finding matters.
  package enum Severity: Int, Sendable, Comparable {
    /// Good to know, as after a crash or a full disk.
    case note
    /// Not as it should be; nothing that was stored is gone by it.
    case warning
    /// Something that was stored is gone, or may be.
    case damage

    package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
  }

  package var kind: Kind
  package var severity: Severity
  /// The file's name within the data folder; empty when it is about the whole.
  package var file: String
  /// Where in the file, in bytes; a length of 0 says nothing.
  package var offset: Int
  package var length: Int
  /// The sequence number of the good line before it; 0 when there is none.
  package var previousSequence: Int
  /// That of the good line after it, if there is one.
  package var nextSequence: Int?
  /// What exactly is wrong, for people.
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

  /// A file or folder that others may read or write.
  static func openToOthers(_ file: String, _ status: FileStatus) -> Finding {
    Finding(.wrongMode, file, "mode \(String(status.mode, radix: 8))")
  }

  /// The same about a journal whose transactions the segments have.
  var ofHistory: Finding {
    Finding(
      .damagedHistory, file, at: offset..<(offset + length), after: previousSequence, before: nextSequence,
      "\(kind.rawValue): \(reason)")
  }

  /// Whether both tell of the same thing.
  func isSame(as other: Finding) -> Bool { kind == other.kind && file == other.file && offset == other.offset }
}
