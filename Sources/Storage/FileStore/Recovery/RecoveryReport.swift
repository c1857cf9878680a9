/// The problems found when opening a store. Opening repairs none of them.
package struct RecoveryReport: Sendable, Equatable {
  /// The maximum number of findings kept individually.
  package static let maximumFindings = 1000

  /// In order of files and offsets.
  package private(set) var findings: [Finding] = []
  /// The number of findings beyond the maximum.
  package private(set) var omitted = 0
  package internal(set) var transactions = 0
  /// Complete lines that were unusable: each may have been an answered transaction.
  package internal(set) var damagedLines = 0

  package var isLossPossible: Bool { omitted > 0 || findings.contains { $0.kind.isLossPossible } }

  /// The index of the first finding without the next good line's sequence number.
  private var waiting = 0

  package init() {}

  mutating func note(_ finding: Finding) {
    guard findings.count < RecoveryReport.maximumFindings else {
      omitted += 1
      return
    }
    findings.append(finding)
  }

  /// Notes a finding unless an equal one was noted before.
  mutating func noteOnce(_ finding: Finding) { if !findings.contains(finding) { note(finding) } }

  mutating func append(_ other: RecoveryReport) {
    for finding in other.findings { note(finding) }
    omitted += other.omitted
    transactions += other.transactions
    damagedLines += other.damagedLines
  }

  /// Sets the sequence number that follows the findings noted since the last call.
  mutating func reached(_ sequence: Int) {
    while waiting < findings.count {
      findings[waiting].nextSequence = sequence
      waiting += 1
    }
  }
}
