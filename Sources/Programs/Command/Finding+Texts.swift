import FileStore

extension Finding.Kind {
  /// What a finding is, what it means for the user's data, and what to do about it: three texts in plain words.
  var explanation: (what: String, meaning: String, advice: String) {
    switch self {
    case .tornTail:
      (
        "The last line of a journal is cut off, as after a crash or a power cut.",
        "If it was being written when the program ended, nobody was told that it is stored. If it has lost its end since,"
          + " missing changes are told, too.", Self.nothing
      )
    case .healedTear:
      (
        "A line was cut off by a crash and closed afterwards.",
        "If it was being written when the program ended, nobody was told that it is stored. Else its number is missing,"
          + " which is told, too.", Self.nothing
      )
    case .damagedLine:
      (
        "A line of a journal is complete, but its bytes are not those that were written.",
        "One change is lost. Records that it changed are as they were before it.", "\(Self.repair) \(Self.backup)"
      )
    case .unknownLine:
      (
        "A line of a journal is whole, but it is nothing this program understands.",
        "If a newer version wrote it, that version can read it; here its change is not seen.",
        "Use the newest version of daybook before anything else. \(Self.repair)"
      )
    case .brokenNewline:
      ("The mark between two lines is damaged.", "Both lines were read; nothing is lost.", Self.repair)
    case .sequenceGap:
      (
        "Changes are numbered, and some numbers are missing: a journal has lost lines, or its end.",
        "The changes with those numbers are lost; what came after them is there.", "\(Self.repair) \(Self.backup)"
      )
    case .sequenceFork:
      (
        "Two different changes have the same number, as when two copies of a folder were put together.",
        "Both were read; nothing is lost, though the later one may have been made without knowing of the first.",
        "Keep the data folder out of folders that other programs copy to and fro. \(Self.repair)"
      )
    case .duplicate:
      ("A change is there twice, as after a failed write that was repeated.", "It counts once.", Self.nothing)
    case .unreadableRange:
      (
        "The disk does not give up a part of a file.", "What stands there cannot be read now; the rest was.",
        "Copy the folder to another disk soon: this one may be failing. \(Self.backup)"
      )
    case .missingJournal:
      (
        "A journal that has to be there is missing, or all of them are.",
        "The changes that were in it and nowhere else are lost.",
        "If some program has moved it, put it back into journal/. Else: \(Self.repair) \(Self.backup)"
      )
    case .identityLost:
      (
        "store.json, which says which store this is, is missing or cannot be read.",
        "No data is in it. The next change makes a new one; for synchronising the folder counts as a new device.",
        Self.repair
      )
    case .damagedManifest:
      (
        "A manifest, the list of the files that make up the store, cannot be read.",
        "An older one, or the files themselves, tell what is there; the journals have the rest.", Self.repair
      )
    case .missingManifest:
      (
        "manifest.json, the list of the files that make up the store, is missing.",
        "An older one is used, and the journals since are read again, which have what it told.", Self.repair
      )
    case .olderManifest:
      (
        "An older list of the store's files is used.",
        "The journals since then are read again, which have what it told.", Self.repair
      )
    case .rebuiltManifest:
      (
        "No list of the store's files can be read; it was put together from the files that are there.",
        "Records that were deleted shortly before may be back, and what was in files that are gone is missing.",
        "\(Self.repair) \(Self.backup)"
      )
    case .unusedSegment:
      (
        "A file of records was never finished, as when a process was ended while it wrote it.",
        "It is not used; what it would have held is in the journals.", Self.nothing
      )
    case .damagedSegment:
      (
        "A part of a file of records is damaged.",
        "The records of the damaged lines are lost, or as they were earlier; all others of that month are there.",
        "\(Self.repair) \(Self.backup)"
      )
    case .repairedSegment:
      (
        "A file of records is damaged where no record stands.", "All its records are there; nothing is lost.",
        Self.repair
      )
    case .restoredSegment:
      (
        "A file of records is damaged or missing, and was made again out of an older one and the journals.",
        "It is, byte for byte, what it was: nothing is lost.", Self.repair
      )
    case .missingSegment:
      (
        "A file of records is missing, or nothing in it can be used.",
        "The records of that month are lost, unless an older file or the journals have them.",
        "If a program for synchronising has not brought it yet, wait for it. Else: \(Self.repair) \(Self.backup)"
      )
    case .olderSegment:
      (
        "An older file of records is used in the place of one that is gone.",
        "Changes of that month since then may be missing, and records deleted since then may be back.",
        "\(Self.repair) \(Self.backup)"
      )
    case .notPinned:
      (
        "A list of files could not be locked.",
        "Another process may clean up files while they are read; nothing is lost.", Self.nothing
      )
    case .wrongMode:
      (
        "Other users of this computer may read or change a file or folder of the store.",
        "Nothing is lost, but what you track may be seen by others.", "Run “daybook doctor --repair”."
      )
    case .damagedHistory:
      (
        "An older journal is damaged or missing. The files of records have what it told.",
        "No record is lost. Undo, and asking what changed, do not reach back beyond it.", Self.repair
      )
    default: doctorExplanation
    }
  }

  static let repair = "Run “daybook doctor --repair”; what is damaged is copied into quarantine/ first."
  static let backup = "If something is missing that you need, a backup may have it: “daybook backup list”."
  static let nothing = "Nothing needs to be done."
}
