extension Finding {
  package enum Kind: String, Sendable, CaseIterable {
    // MARK: journals

    /// An incomplete last line or a tail of zeros: it was never answered.
    case tornTail
    /// An incomplete line that a later write closed.
    case healedTear
    /// A complete line whose checksum does not match.
    case damagedLine
    /// A line with a valid checksum that is not a known kind of transaction.
    case unknownLine
    /// Two valid lines with a broken newline between them; both were read.
    case brokenNewline
    case sequenceGap
    /// Two different transactions have the same sequence number; both were read.
    case sequenceFork
    /// A repeated transaction, as after a failed sync; it was dropped.
    case duplicate
    /// A range that could not be read.
    case unreadableRange
    /// A sealed journal's successor is missing.
    case missingJournal
    /// A journal is missing, and its changes were read from their copies in `ahead.jsonl`.
    case restoredJournal
    /// A damaged journal that only undo and the changes feed still need; its transactions are in the segments.
    case damagedHistory

    // MARK: the identity and manifests

    /// `store.json` is missing or damaged; the next write creates one with a new replica id.
    case identityLost
    case damagedManifest
    /// `manifest.json` is missing, although there has been one.
    case missingManifest
    /// An older manifest is used; the later journals are read again, so nothing is lost.
    case olderManifest
    /// No manifest is readable: the store's state was rebuilt from its files.
    case rebuiltManifest
    /// A manifest could not be locked: its files may be removed while they are in use.
    case notPinned

    // MARK: segments

    /// A segment that was never finished; it is not used.
    case unusedSegment
    /// Part of a segment is unusable; everything around it is used.
    case damagedSegment
    /// A defect of a segment by which nothing is lost.
    case repairedSegment
    /// A segment is missing, or nothing in it is usable.
    case missingSegment
    /// An older generation replaces a missing segment.
    case olderSegment
    /// A missing or damaged segment was rebuilt byte for byte from an older one and the journals since.
    case restoredSegment

    /// A file or folder with permissions for others; the next write repairs it.
    case wrongMode

    // MARK: found by the doctor only

    case noStore, unusableFolder, newerVersion, identityMismatch
    case orphanSegment, damagedDigest, temporaryFile, conflictCopy, unknownFile, linkedFile, folderForFile,
      fileForFolder, foreignFile
    case damagedQuarantine, quarantined, pendingRestore, failedRestore, noBackup, damagedBackup
    case damagedSpare, damagedSmallFile, damagedSecrets, unfinishedErasure, damagedErasure
    case busy, networkFolder, programFolder, syncedFolder, clockBehind
  }
}

extension Finding.Kind {
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

  /// Whether something that was answered may be lost.
  package var isLossPossible: Bool { severity == .damage }

  /// Whether it is routine, as after a crash or a full disk, and need not be reported.
  package var isEveryday: Bool { severity == .note }

  /// Whether bytes differ from what was written, so that they must be kept before anything replaces them. A cut-off
  /// line was never answered, but it is all that remains of a write.
  var hasBytes: Bool {
    switch self {
    case .tornTail, .healedTear, .damagedLine, .unknownLine, .brokenNewline, .unreadableRange, .identityLost,
      .damagedManifest, .damagedSegment, .repairedSegment, .restoredSegment, .missingSegment, .damagedHistory:
      true
    default: false
    }
  }

  /// Whether it concerns a whole file, so that it has no range.
  var isWholeFile: Bool { [.identityLost, .damagedManifest, .missingSegment, .restoredSegment].contains(self) }
}
