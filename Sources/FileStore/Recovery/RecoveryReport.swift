/// What opening a store found that is not as it should be. Opening changes none of it.
package struct RecoveryReport: Sendable, Equatable {
  /// The most findings that are kept one by one.
  package static let maximumFindings = 1000

  /// In order of files and offsets.
  package private(set) var findings: [RecoveryFinding] = []
  /// Findings beyond the most that are kept.
  package private(set) var omitted = 0
  /// Transactions that were read.
  package internal(set) var transactions = 0
  /// Complete lines that could not be used: each may have been a transaction that was answered.
  package internal(set) var damagedLines = 0

  /// Whether something that was answered may be gone.
  package var isLossPossible: Bool { omitted > 0 || findings.contains { $0.kind.isLossPossible } }

  /// The findings that wait for the sequence number of the next good line.
  private var waiting = 0

  package init() {}

  /// Notes a finding.
  mutating func note(_ finding: RecoveryFinding) {
    guard findings.count < RecoveryReport.maximumFindings else {
      omitted += 1
      return
    }
    findings.append(finding)
  }

  /// Notes a finding unless the very same one was noted before.
  mutating func noteOnce(_ finding: RecoveryFinding) {
    if !findings.contains(finding) { note(finding) }
  }

  /// Takes in the findings of a later part.
  mutating func append(_ other: RecoveryReport) {
    for finding in other.findings { note(finding) }
    omitted += other.omitted
    transactions += other.transactions
    damagedLines += other.damagedLines
  }

  /// Says which sequence number follows everything noted since the last call.
  mutating func reached(_ sequence: Int) {
    while waiting < findings.count {
      findings[waiting].nextSequence = sequence
      waiting += 1
    }
  }
}

/// One thing that is not as it should be.
package struct RecoveryFinding: Sendable, Equatable {
  /// What kind of thing it is.
  package enum Kind: String, Sendable {
    /// An incomplete last line or a tail of zeros: it was never answered.
    case tornTail
    /// The same, closed by a later write.
    case healedTear
    /// A complete line whose checksum does not fit.
    case damagedLine
    /// A line whose checksum fits but which is no transaction we understand.
    case unknownLine
    /// Two good lines with a broken newline between them; both were read.
    case brokenNewline
    /// Lines are missing.
    case sequenceGap
    /// Two different transactions have one sequence number; both were read.
    case sequenceFork
    /// A transaction was found again, as it is after a failed sync; it was dropped.
    case duplicate
    /// The medium refused to give up a range.
    case unreadableRange
    /// A sealed journal's successor is not there.
    case missingJournal
    /// `store.json` is missing or damaged; the next write makes a new one with a new replica id.
    case identityLost
    /// A manifest cannot be read.
    case damagedManifest
    /// `manifest.json` is not there, though there has been one.
    case missingManifest
    /// An older manifest is used; the journals since are read again, so that nothing is lost.
    case olderManifest
    /// No manifest can be read: what the store consists of was found out by looking at its files.
    case rebuiltManifest
    /// A segment that was never finished; it is not used.
    case unusedSegment
    /// A part of a segment cannot be used; everything around it is.
    case damagedSegment
    /// Something about a segment is not as it should be, and nothing is lost by it.
    case repairedSegment
    /// A segment is gone or nothing in it can be used.
    case missingSegment
    /// An older generation of a segment is used in the place of one that is gone.
    case olderSegment
    /// A journal is damaged that only undo and the changes feed still need: what it told is in the segments.
    case damagedHistory
    /// A manifest could not be locked: its files may be cleaned away while they are used.
    case notPinned
    /// A segment that is gone or damaged was made again, byte for byte, out of an older one and the journals since.
    case restoredSegment
    /// A file or folder that others may read or write; the next write repairs it.
    case wrongMode
  }

  package var kind: Kind
  /// The file's name within the data folder.
  package var file: String
  /// Where in the file, in bytes.
  package var offset: Int
  package var length: Int
  /// The sequence number of the good line before it; 0 when there is none.
  package var previousSequence: Int
  /// That of the good line after it, if there is one.
  package var nextSequence: Int?
  /// What exactly is wrong, for people.
  package var reason: String
}

extension RecoveryFinding {
  /// The same about a journal whose transactions the segments have.
  var ofHistory: RecoveryFinding {
    var finding = self
    finding.reason = "\(kind.rawValue): \(reason)"
    finding.kind = .damagedHistory
    return finding
  }
}
