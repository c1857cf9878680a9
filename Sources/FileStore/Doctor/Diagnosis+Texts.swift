extension Diagnosis {
  /// What a finding is, what it means for the user's data, and what to do about it: three texts in plain words.
  package var explanation: (what: String, meaning: String, advice: String) {
    switch kind {
    case .recovery(let kind): Diagnosis.explanation(kind)
    case .other(let kind): Diagnosis.explanation(kind)
    }
  }

  static let repair = "Run “daybook doctor --repair”; what is damaged is copied into quarantine/ first."
  private static let backup = "If something is missing that you need, a backup may have it: “daybook backup list”."
  static let nothing = "Nothing needs to be done."

  private static func explanation(_ kind: RecoveryFinding.Kind) -> (String, String, String) {
    switch kind {
    case .tornTail:
      (
        "The last line of a journal is cut off, as after a crash or a power cut.",
        "If it was being written when the program ended, nobody was told that it is stored. If it has lost its end since,"
          + " missing changes are told, too.", nothing
      )
    case .healedTear:
      (
        "A line was cut off by a crash and closed afterwards.",
        "If it was being written when the program ended, nobody was told that it is stored. Else its number is missing,"
          + " which is told, too.", nothing
      )
    case .damagedLine:
      (
        "A line of a journal is complete, but its bytes are not those that were written.",
        "One change is lost. Records that it changed are as they were before it.", "\(repair) \(backup)"
      )
    case .unknownLine:
      (
        "A line of a journal is whole, but it is nothing this program understands.",
        "If a newer version wrote it, that version can read it; here its change is not seen.",
        "Use the newest version of daybook before anything else. \(repair)"
      )
    case .brokenNewline:
      ("The mark between two lines is damaged.", "Both lines were read; nothing is lost.", repair)
    case .sequenceGap:
      (
        "Changes are numbered, and some numbers are missing: a journal has lost lines, or its end.",
        "The changes with those numbers are lost; what came after them is there.", "\(repair) \(backup)"
      )
    case .sequenceFork:
      (
        "Two different changes have the same number, as when two copies of a folder were put together.",
        "Both were read; nothing is lost, though the later one may have been made without knowing of the first.",
        "Keep the data folder out of folders that other programs copy to and fro. \(repair)"
      )
    case .duplicate:
      ("A change is there twice, as after a failed write that was repeated.", "It counts once.", nothing)
    case .unreadableRange:
      (
        "The disk does not give up a part of a file.", "What stands there cannot be read now; the rest was.",
        "Copy the folder to another disk soon: this one may be failing. \(backup)"
      )
    case .missingJournal:
      (
        "A journal that has to be there is missing, or all of them are.",
        "The changes that were in it and nowhere else are lost.",
        "If some program has moved it, put it back into journal/. Else: \(repair) \(backup)"
      )
    case .identityLost:
      (
        "store.json, which says which store this is, is missing or cannot be read.",
        "No data is in it. The next change makes a new one; for synchronising the folder counts as a new device.",
        repair
      )
    case .damagedManifest:
      (
        "A manifest, the list of the files that make up the store, cannot be read.",
        "An older one, or the files themselves, tell what is there; the journals have the rest.", repair
      )
    case .missingManifest:
      (
        "manifest.json, the list of the files that make up the store, is missing.",
        "An older one is used, and the journals since are read again, which have what it told.", repair
      )
    case .olderManifest:
      (
        "An older list of the store's files is used.",
        "The journals since then are read again, which have what it told.", repair
      )
    case .rebuiltManifest:
      (
        "No list of the store's files can be read; it was put together from the files that are there.",
        "Records that were deleted shortly before may be back, and what was in files that are gone is missing.",
        "\(repair) \(backup)"
      )
    case .unusedSegment:
      (
        "A file of records was never finished, as when a process was ended while it wrote it.",
        "It is not used; what it would have held is in the journals.", nothing
      )
    case .damagedSegment:
      (
        "A part of a file of records is damaged.",
        "The records of the damaged lines are lost, or as they were earlier; all others of that month are there.",
        "\(repair) \(backup)"
      )
    case .repairedSegment:
      (
        "A file of records is damaged where no record stands.", "All its records are there; nothing is lost.", repair
      )
    case .restoredSegment:
      (
        "A file of records is damaged or missing, and was made again out of an older one and the journals.",
        "It is, byte for byte, what it was: nothing is lost.", repair
      )
    case .missingSegment:
      (
        "A file of records is missing, or nothing in it can be used.",
        "The records of that month are lost, unless an older file or the journals have them.",
        "If a program for synchronising has not brought it yet, wait for it. Else: \(repair) \(backup)"
      )
    case .olderSegment:
      (
        "An older file of records is used in the place of one that is gone.",
        "Changes of that month since then may be missing, and records deleted since then may be back.",
        "\(repair) \(backup)"
      )
    case .notPinned:
      (
        "A list of files could not be locked.",
        "Another process may clean up files while they are read; nothing is lost.",
        nothing
      )
    case .wrongMode:
      (
        "Other users of this computer may read or change a file or folder of the store.",
        "Nothing is lost, but what you track may be seen by others.", "Run “daybook doctor --repair”."
      )
    case .damagedHistory:
      (
        "An older journal is damaged or missing. The files of records have what it told.",
        "No record is lost. Undo, and asking what changed, do not reach back beyond it.", repair
      )
    }
  }

  private static func explanation(_ kind: Kind.Other) -> (String, String, String) {
    switch kind {
    case .noStore: ("Nothing is stored in this folder yet.", "The first change makes the store.", nothing)
    case .unusableFolder:
      (
        "The folder cannot be used as a data folder.", "Nothing was read or changed.",
        "Look at what stands there, or name another folder with --data."
      )
    case .newerVersion:
      (
        "A newer version of daybook has written this store.",
        "It is not damaged. This version may not be able to read it, and does not write it.", "Use the newer version."
      )
    case .identityMismatch:
      (
        "store.json and the manifest speak of two different stores, as when files of two folders were mixed.",
        "What is read is what the manifest names. Files of the other store may have replaced some of this one.",
        "Look for the folder that the other files belong to. \(backup)"
      )
    case .orphanSegment:
      (
        "A file of records belongs to no version of the store, as when a process was ended while it tidied up.",
        "Nothing needs it; it takes up room.", "Run “daybook doctor --repair”; it is moved into quarantine/."
      )
    case .temporaryFile:
      (
        "A file was made to take another's place, and never did.", "Nothing needs it.",
        "One that is older than a day is moved into quarantine/ by “daybook doctor --repair”."
      )
    case .conflictCopy:
      (
        "A program that copies folders to and fro has made a second version of a file.",
        "It may hold changes that were made elsewhere and are not in this store.",
        "Keep the data folder out of such programs' reach; daybook synchronises devices by itself."
          + " “daybook doctor --repair” moves the file into quarantine/, where it is kept."
      )
    case .unknownFile:
      ("A file is none of daybook's.", "It is left alone.", "Put it somewhere else if you know what it is.")
    case .linkedFile:
      (
        "A link stands where a file of the store belongs.", "It is not followed, so what it points to is not used.",
        "Put the file itself in its place."
      )
    case .folderForFile:
      (
        "A folder stands where a file of the store belongs.", "As long as it does, some or all changes are refused.",
        "Move it away; the store makes the file again."
      )
    case .foreignFile:
      (
        "A file or folder belongs to another user.", "It is not used.",
        "Give it back to yourself, for example with chown, if it is yours."
      )
    case .damagedSpare:
      (
        "An older file of records, kept in case a newer one is damaged, is damaged itself or missing.",
        "Nothing is read from it now. It is removed with the next changes.",
        "Have a backup: “daybook backup create”. If this happens again, this disk may be failing."
      )
    case .damagedQuarantine:
      (
        "The list of what was set aside, or something that it names, is damaged.",
        "The store itself is not touched by it.", "Look through the files in quarantine/ by hand if you need them."
      )
    case .quarantined:
      (
        "Damaged bytes were found earlier, and are kept in quarantine/.",
        "The store goes on without them. quarantine/list.jsonl says what they were and where they stood.",
        "When nothing in there is needed any more, the folder quarantine/ may be deleted."
      )
    case .pendingRestore:
      (
        "A backup is to be restored at the next start.", "It has not taken the store's place yet.",
        "Close all programs that use the folder, then start one."
      )
    case .failedRestore:
      (
        "Restoring a backup has failed.", "The store is as it was before.",
        "The file says why; try again, or delete it: “daybook restore”."
      )
    case .noBackup:
      (
        "There is no backup.", "If this disk fails, everything is lost.", "Make one: “daybook backup create”."
      )
    case .damagedBackup:
      (
        "A backup cannot be restored.", "The store itself is not touched by that.",
        "Make a new one, “daybook backup create”; then delete this one, “daybook backup delete”."
      )
    case .damagedSmallFile, .damagedSecrets, .unfinishedErasure, .damagedErasure: explanation(beside: kind)
    case .busy, .networkFolder, .programFolder, .syncedFolder, .clockBehind: explanation(around: kind)
    }
  }
}
