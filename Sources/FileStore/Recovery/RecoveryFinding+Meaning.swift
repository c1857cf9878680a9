extension RecoveryFinding.Kind {
  /// Whether something that was answered may be gone.
  package var isLossPossible: Bool {
    switch self {
    case .damagedLine, .unknownLine, .sequenceGap, .unreadableRange, .missingJournal, .rebuiltManifest,
      .damagedSegment, .missingSegment, .olderSegment:
      true
    case .tornTail, .healedTear, .brokenNewline, .sequenceFork, .duplicate, .identityLost, .wrongMode,
      .damagedManifest, .missingManifest, .olderManifest, .unusedSegment, .repairedSegment, .restoredSegment,
      .notPinned, .damagedHistory:
      false
    }
  }

  /// Whether it belongs to everyday life, as after a crash or a full disk, and nobody has to be told of it.
  package var isEveryday: Bool {
    switch self {
    case .tornTail, .healedTear, .duplicate, .unusedSegment, .notPinned: true
    default: false
    }
  }

  /// Whether bytes that were once written are not what they were, so that they have to be kept before anything takes their
  /// place. A cut-off line was never answered; still it is all there is of what somebody wanted to write.
  var hasBytes: Bool {
    switch self {
    case .tornTail, .healedTear, .damagedLine, .unknownLine, .brokenNewline, .unreadableRange, .identityLost,
      .damagedManifest, .damagedSegment, .repairedSegment, .restoredSegment, .missingSegment, .damagedHistory:
      true
    case .sequenceGap, .sequenceFork, .duplicate, .missingJournal, .missingManifest, .olderManifest, .rebuiltManifest,
      .unusedSegment, .olderSegment, .notPinned, .wrongMode:
      false
    }
  }
}
