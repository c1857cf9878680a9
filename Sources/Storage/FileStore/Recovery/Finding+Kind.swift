extension Finding {
  /// What kind of thing a finding is; `explanation` says it to people.
  package enum Kind: String, Sendable, CaseIterable {
    // MARK: journals

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
    /// A journal is damaged that only undo and the changes feed still need: what it told is in the segments.
    case damagedHistory

    // MARK: the identity and manifests

    /// `store.json` is missing or damaged; the next write makes a new one with a new replica id.
    case identityLost
    case damagedManifest
    /// `manifest.json` is not there, though there has been one.
    case missingManifest
    /// An older manifest is used; the journals since are read again, so that nothing is lost.
    case olderManifest
    /// No manifest can be read: what the store consists of was found out by looking at its files.
    case rebuiltManifest
    /// A manifest could not be locked: its files may be cleaned away while they are used.
    case notPinned

    // MARK: segments

    /// A segment that was never finished; it is not used.
    case unusedSegment
    /// A part of a segment cannot be used; everything around it is.
    case damagedSegment
    /// Something about a segment is not as it should be, and nothing is lost by it.
    case repairedSegment
    /// A segment is gone or nothing in it can be used.
    case missingSegment
    /// An older generation of a segment is used instead of one that is gone.
    case olderSegment
    /// A segment that is gone or damaged was made again, byte for byte, out of an older one and the journals since.
    case restoredSegment

    /// A file or folder that others may read or write; the next write repairs it.
    case wrongMode

    // MARK: what only the doctor looks for

    case noStore, unusableFolder, newerVersion, identityMismatch
    case orphanSegment, damagedDigest, temporaryFile, conflictCopy, unknownFile, linkedFile, folderForFile, foreignFile
    case damagedQuarantine, quarantined, pendingRestore, failedRestore, noBackup, damagedBackup
    case damagedSpare, damagedSmallFile, damagedSecrets, unfinishedErasure, damagedErasure
    case busy, networkFolder, programFolder, syncedFolder, clockBehind
  }
}

extension Finding.Kind {
  /// How much it matters.
  package var severity: Finding.Severity {
    switch self {
    case .damagedLine, .unknownLine, .sequenceGap, .unreadableRange, .missingJournal, .rebuiltManifest, .damagedSegment,
      .missingSegment, .olderSegment, .unusableFolder:
      .damage
    case .tornTail, .healedTear, .duplicate, .unusedSegment, .notPinned, .noStore, .unknownFile, .quarantined,
      .pendingRestore, .noBackup, .damagedSpare, .damagedDigest, .busy,
      .programFolder:
      .note
    default: .warning
    }
  }

  /// Whether something that was answered may be gone.
  package var isLossPossible: Bool { severity == .damage }

  /// Whether it belongs to everyday life, as after a crash or a full disk, and nobody has to be told of it.
  package var isEveryday: Bool { severity == .note }

  /// Whether bytes that were once written are not what they were, so that they have to be kept before anything takes their
  /// place. A cut-off line was never answered; still it is all there is of what somebody wanted to write.
  var hasBytes: Bool {
    switch self {
    case .tornTail, .healedTear, .damagedLine, .unknownLine, .brokenNewline, .unreadableRange, .identityLost,
      .damagedManifest, .damagedSegment, .repairedSegment, .restoredSegment, .missingSegment, .damagedHistory:
      true
    default: false
    }
  }

  /// Whether it is about a file as a whole, so that no range is told.
  var isWholeFile: Bool { [.identityLost, .damagedManifest, .missingSegment, .restoredSegment].contains(self) }
}
