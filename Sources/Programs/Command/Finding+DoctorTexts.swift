import FileStore

extension Finding.Kind {
  /// The same of what only the doctor looks for.
  var doctorExplanation: (what: String, meaning: String, advice: String) {
    switch self {
    case .noStore: ("Nothing is stored in this folder yet.", "The first change makes the store.", Self.nothing)
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
        "Look for the folder that the other files belong to. \(Self.backup)"
      )
    case .orphanSegment:
      (
        "A file of records belongs to no version of the store, as when a process was ended while it tidied up.",
        "Nothing needs it; it takes up room.", "Run “daybook doctor --repair”; it is moved into quarantine/."
      )
    case .damagedDigest:
      (
        "A file of sums that were made ahead is damaged.",
        "It is not used: sums are made out of the records, which takes a little longer.",
        "A power cut can leave one like that. The next checkpoint writes a new one."
      )
    case .temporaryFile:
      (
        "A file was made to take another's place, and never did.", "Nothing needs it.",
        "One that is older than a day is moved into quarantine/ by “daybook doctor --repair”."
      )
    case .conflictCopy:
      (
        "A program that copies folders to and fro has made a second version of a file.",
        "It may hold changes that another device made and that are not in this store.",
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
      ("There is no backup.", "If this disk fails, everything is lost.", "Make one: “daybook backup create”.")
    case .damagedBackup:
      (
        "A backup cannot be restored.", "The store itself is not touched by that.",
        "Make a new one, “daybook backup create”; then delete this one, “daybook backup delete”."
      )
    default: placeExplanation
    }
  }
}
