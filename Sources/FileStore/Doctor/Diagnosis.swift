/// One thing that the doctor has to say of a store.
package struct Diagnosis: Sendable, Equatable {
  /// How much it matters.
  package enum Severity: Int, Sendable, Comparable {
    /// Good to know.
    case note
    /// Not as it should be; nothing that was stored is gone by it.
    case warning
    /// Something that was stored is gone, or may be.
    case damage

    package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
  }

  /// What kind of thing it is.
  package enum Kind: Sendable, Hashable {
    /// What recovery finds too.
    case recovery(RecoveryFinding.Kind)
    case other(Other)

    /// What only the doctor looks for.
    package enum Other: String, Sendable {
      case noStore, unusableFolder, newerVersion, identityMismatch
      case orphanSegment, temporaryFile, conflictCopy, unknownFile, linkedFile, folderForFile, foreignFile
      case damagedQuarantine, quarantined, pendingRestore, failedRestore, noBackup, damagedBackup
      case damagedSpare, damagedSmallFile, damagedSecrets, unfinishedErasure, damagedErasure
      case busy, networkFolder, programFolder, syncedFolder, clockBehind
    }

    /// Its name, for programs.
    package var name: String {
      switch self {
      case .recovery(let kind): kind.rawValue
      case .other(let kind): kind.rawValue
      }
    }
  }

  package var kind: Kind
  package var severity: Severity
  /// The file's name within the data folder; empty when it is about the whole.
  package var file = ""
  /// Where in the file, in bytes; a length of 0 says nothing.
  package var offset = 0
  package var length = 0
  /// The sequence numbers of the good lines around it, where there are any.
  package var previousSequence = 0
  package var nextSequence: Int?
  /// What exactly is wrong.
  package var reason: String

  init(_ kind: Kind.Other, _ severity: Severity, _ file: String = "", _ reason: String) {
    self.kind = .other(kind)
    self.severity = severity
    self.file = file
    self.reason = reason
  }

  init(_ finding: RecoveryFinding) {
    kind = .recovery(finding.kind)
    severity = finding.kind.isLossPossible ? .damage : finding.kind.isEveryday ? .note : .warning
    file = finding.file
    offset = finding.offset
    length = finding.length
    // What is about a file as a whole is between no lines.
    if finding.kind != .wrongMode {
      previousSequence = finding.previousSequence
      nextSequence = finding.nextSequence
    }
    reason = finding.reason
  }
}

/// What the doctor found.
package struct DoctorReport: Sendable, Equatable {
  /// The data folder.
  package var folder: String
  package var findings: [Diagnosis] = []
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
}
