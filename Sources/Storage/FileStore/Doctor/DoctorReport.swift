package struct DoctorReport: Sendable, Equatable {
  package var folder: String
  package var findings: [Finding] = []
  package var omitted = 0
  /// The latest revision, and the numbers of records, segments and journals.
  package var revision = 0
  package var records = 0
  package var segments = 0
  package var journals = 0

  /// Whether nothing is wrong; notes do not count.
  package var isFine: Bool { omitted == 0 && !findings.contains { $0.severity > .note } }

  /// Whether stored data may be lost.
  package var isLossPossible: Bool { omitted > 0 || findings.contains { $0.severity == .damage } }

  /// Adds a finding made only by the doctor.
  mutating func note(_ kind: Finding.Kind, _ file: String, _ reason: String) {
    findings.append(Finding(kind, file, reason))
  }

  /// Adds a recovery finding, once.
  mutating func add(_ finding: Finding) {
    var finding = finding
    // A finding about a whole file has no neighbouring lines.
    if finding.kind == .wrongMode { (finding.previousSequence, finding.nextSequence) = (0, nil) }
    if !findings.contains(finding) { findings.append(finding) }
  }
}
