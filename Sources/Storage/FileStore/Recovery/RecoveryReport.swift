/// What opening a store found that is not as it should be. Opening changes none of it.
package struct RecoveryReport: Sendable, Equatable {
  /// The most findings that are kept one by one.
  package static let maximumFindings = 1000

  /// In order of files and offsets.
  package private(set) var findings: [Finding] = []
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

  mutating func note(_ finding: Finding) {
    guard findings.count < RecoveryReport.maximumFindings else {
      omitted += 1
      return
    }
    findings.append(finding)
  }

  /// Notes a finding unless the very same one was noted before.
  mutating func noteOnce(_ finding: Finding) { if !findings.contains(finding) { note(finding) } }

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
