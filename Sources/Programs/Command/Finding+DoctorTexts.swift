import FileStore

extension Finding.Kind {
  /// The explanation of findings that only the doctor makes.
  var doctorExplanation: (what: String, meaning: String, advice: String) {
    switch self {
    case .noStore: ("Nothing is stored in this folder yet.", "The first change creates the store.", Self.nothing)
    case .unusableFolder:
      (
        "The folder cannot be used as a data folder.", "Nothing was read or changed.",
        "Check what is at this path, or name another folder with --data."
      )
    case .newerVersion:
      (
        "A newer version of daybook wrote this store.",
        "It is not damaged. This version may be unable to read it, and does not write to it.", "Use the newer version."
      )
    case .identityMismatch:
      (
        "store.json and the manifest belong to different stores, as when files of two folders were mixed.",
        "The files in the manifest are read. Files of the other store may have replaced some of this one.",
        "Look for the folder that the other files belong to. \(Self.backup)"
      )
    case .orphanSegment:
      (
        "A file of records belongs to no version of the store, as when a process was ended during clean-up.",
        "It is not needed, and takes up space.", "Run “daybook doctor --repair”; it moves the file into quarantine/."
      )
    case .damagedDigest:
      (
        "A file of precomputed totals is damaged.",
        "It is not used: totals are computed from the records, which takes a little longer.",
        "A power failure can cause this. The next checkpoint writes a new one."
      )
    case .temporaryFile:
      (
        "A temporary file was never moved to its place.", "It is not needed.",
        "“daybook doctor --repair” moves it into quarantine/ when it is older than a day."
      )
    case .conflictCopy:
      (
        "A synchronising program has created a second version of a file.",
        "It may contain changes of another device that are not in this store.",
        "Keep the data folder out of reach of such programs; daybook synchronises devices itself."
          + " “daybook doctor --repair” moves the file into quarantine/, where it is kept."
      )
    case .unknownFile:
      ("A file does not belong to daybook.", "It is left alone.", "Move it away if you know what it is.")
    case .linkedFile:
      (
        "A symbolic link is where a file of the store belongs.", "It is not followed, so its target is not used.",
        "Replace it by the file itself."
      )
    case .folderForFile:
      (
        "A folder is where a file of the store belongs.", "Until it is moved away, some or all changes are refused.",
        "Move it away; the store then creates the file."
      )
    case .fileForFolder:
      (
        "A file is where a folder of the store belongs.",
        "Until it is moved away, some or all changes are refused, or journals are not folded into files of records.",
        "Move it away; the store then creates the folder."
      )
    case .foreignFile:
      (
        "A file or folder belongs to another user.", "It is not used.",
        "If it is yours, change its owner, for example with chown."
      )
    case .damagedSpare:
      (
        "An older file of records, kept as a spare, is damaged or missing.",
        "It is not read now, and is removed by later changes.",
        "Make a backup: “daybook backup create”. If this happens again, the disk may be failing."
      )
    case .damagedQuarantine:
      (
        "The list of quarantined data, or something in it, is damaged.",
        "The store itself is not affected.", "Check the files in quarantine/ by hand if you need them."
      )
    case .quarantined:
      (
        "Damaged data was found earlier, and is kept in quarantine/.",
        "The store works without it. quarantine/list.jsonl says what it was and where.",
        "When you do not need it, you may delete the folder quarantine/."
      )
    case .pendingRestore:
      (
        "A backup will be restored at the next start.", "It has not replaced the store yet.",
        "Close all programs that use the folder, then start one."
      )
    case .failedRestore:
      (
        "Restoring a backup failed.", "The store is unchanged.",
        "The file gives the reason; try again, or delete it: “daybook restore”."
      )
    case .noBackup:
      ("There is no backup.", "If this disk fails, everything is lost.", "Make one: “daybook backup create”.")
    case .damagedBackup:
      (
        "A backup cannot be restored.", "The store itself is not affected.",
        "Make a new one, “daybook backup create”; then delete this one, “daybook backup delete”."
      )
    default: placeExplanation
    }
  }
}
