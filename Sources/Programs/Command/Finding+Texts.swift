import FileStore

extension Finding.Kind {
  /// An explanation for users: the finding, its consequence for their data, and advice.
  var explanation: (what: String, meaning: String, advice: String) {
    switch self {
    case .tornTail:
      (
        "The last line of a journal is incomplete, as after a crash or a power failure.",
        "If it was being written when the program ended, it was never reported as stored. If it was truncated later,"
          + " the missing changes are reported too.", Self.nothing
      )
    case .healedTear:
      (
        "A line was cut off by a crash and terminated afterwards.",
        "If it was being written when the program ended, it was never reported as stored. Otherwise its number is missing,"
          + " which is reported too.", Self.nothing
      )
    case .damagedLine:
      (
        "A line of a journal is complete, but its checksum is wrong.",
        "One change is lost. The records that it changed have their previous contents.", "\(Self.repair) \(Self.backup)"
      )
    case .unknownLine:
      (
        "A line of a journal is complete, but this program does not understand it.",
        "If a newer version wrote it, that version can read it; here the change is ignored.",
        "Use the newest version of daybook before anything else. \(Self.repair)"
      )
    case .brokenNewline:
      ("The line break between two lines is damaged.", "Both lines were read; nothing is lost.", Self.repair)
    case .sequenceGap:
      (
        "Some numbers of changes are missing: a journal has lost lines or its end.",
        "The changes with those numbers are lost; later ones are present.", "\(Self.repair) \(Self.backup)"
      )
    case .sequenceFork:
      (
        "Two different changes have the same number, as when two copies of a folder were merged.",
        "Both were read; nothing is lost, though the later one may have been made without knowledge of the first.",
        "Keep the data folder out of folders that other programs synchronise. \(Self.repair)"
      )
    case .duplicate:
      ("A change is present twice, as after a failed write that was repeated.", "It counts once.", Self.nothing)
    case .unreadableRange:
      (
        "The disk cannot read part of a file.", "The data there cannot be read now; the rest was.",
        "Copy the folder to another disk soon: this disk may be failing. \(Self.backup)"
      )
    case .missingJournal:
      (
        "A required journal is missing, or all of them are.",
        "The changes that were only in it are lost.",
        "If another program moved it, put it back into journal/. Otherwise: \(Self.repair) \(Self.backup)"
      )
    case .restoredJournal:
      (
        "A journal is missing. ahead.jsonl has copies of its latest changes.",
        "The copied changes are read from there. If older ones were only in the journal, that is reported too.",
        "\(Self.repair) If another program moved the journal, put it back into journal/ before that."
      )
    case .identityLost:
      (
        "store.json, which identifies the store, is missing or cannot be read.",
        "It contains no data. The next change creates a new one; for synchronising, the folder counts as a new device.",
        Self.repair
      )
    case .damagedManifest:
      (
        "A manifest, the list of the files that make up the store, cannot be read.",
        "An older one, or the files themselves, show what exists; the journals have the rest.", Self.repair
      )
    case .missingManifest:
      (
        "manifest.json, the list of the files that make up the store, is missing.",
        "An older one is used, and the later journals are read again, which have the rest.", Self.repair
      )
    case .olderManifest:
      (
        "An older list of the store's files is used.",
        "The later journals are read again, which have the rest.", Self.repair
      )
    case .rebuiltManifest:
      (
        "No list of the store's files can be read; a new one was built from the files that exist.",
        "Recently deleted records may have returned, and the contents of missing files are missing.",
        "\(Self.repair) \(Self.backup)"
      )
    case .unusedSegment:
      (
        "A file of records was never completed, as when a process was ended while it wrote it.",
        "It is not used; the journals have its records.", Self.nothing
      )
    case .damagedSegment:
      (
        "Part of a file of records is damaged.",
        "The records of the damaged lines are lost or have older contents; all others of that month are present.",
        "\(Self.repair) \(Self.backup)"
      )
    case .repairedSegment:
      (
        "A file of records is damaged outside its records.", "All its records are present; nothing is lost.",
        Self.repair
      )
    case .restoredSegment:
      (
        "A file of records is damaged or missing, and was rebuilt from an older one and the journals.",
        "It is identical to the original: nothing is lost.", Self.repair
      )
    case .missingSegment:
      (
        "A file of records is missing or entirely unusable.",
        "The records of that month are lost, unless an older file or the journals have them.",
        "If a synchronising program has not delivered it yet, wait. Otherwise: \(Self.repair) \(Self.backup)"
      )
    case .olderSegment:
      (
        "An older file of records is used instead of one that is missing.",
        "Later changes of that month may be missing, and records deleted later may have returned.",
        "\(Self.repair) \(Self.backup)"
      )
    case .notPinned:
      (
        "A list of files could not be locked.",
        "Another process may clean up files while they are read; nothing is lost.", Self.nothing
      )
    case .wrongMode:
      (
        "Other users of this computer can read or change a file or folder of the store.",
        "Nothing is lost, but others may see your data.", "Run “daybook doctor --repair”."
      )
    case .damagedHistory:
      (
        "An older journal is damaged or missing. The files of records have its changes.",
        "No record is lost. Undo and the list of changes do not reach back beyond it.", Self.repair
      )
    default: doctorExplanation
    }
  }

  static let repair = "Run “daybook doctor --repair”; it first copies damaged data into quarantine/."
  static let backup = "If you miss data, a backup may have it: “daybook backup list”."
  static let nothing = "Nothing needs to be done."
}
