/// What the doctor found.
package struct DoctorReport: Sendable, Equatable {
  /// The data folder.
  package var folder: String
  package var findings: [Finding] = []
  /// Findings beyond those that are kept one by one.
  package var omitted = 0
  /// The latest revision, and how many records, segments and journals there are.
  package var revision = 0
  package var records = 0
  package var segments = 0
  package var journals = 0

  /// Whether nothing is wrong; notes do not count.
  package var isFine: Bool { omitted == 0 && !findings.contains { $0.severity > .note } }

  /// Whether something that was stored may be gone.
  package var isLossPossible: Bool { omitted > 0 || findings.contains { $0.severity == .damage } }

  /// Adds what only the doctor looks for.
  mutating func note(_ kind: Finding.Kind, _ file: String, _ reason: String) {
    findings.append(Finding(kind, file, reason))
  }

  /// Adds what recovery has found, once.
  mutating func add(_ finding: Finding) {
    var finding = finding
    // What is about a file as a whole is between no lines.
    if finding.kind == .wrongMode { (finding.previousSequence, finding.nextSequence) = (0, nil) }
    if !findings.contains(finding) { findings.append(finding) }
  }
}
