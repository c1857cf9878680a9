import FileStore

extension Finding.Kind {
  /// The explanation of findings about small files, the folder's location, and other processes.
  var placeExplanation: (what: String, meaning: String, advice: String) {
    switch self {
    case .damagedSecrets:
      (
        "secrets.json, which contains keys and passwords, cannot be read.",
        "Features that need them do not work until you enter them again. No record is in it.",
        "Enter them again. The file is left as it is and not copied anywhere."
      )
    case .unfinishedErasure:
      (
        "Deleting everything was started, but not finished.",
        "The stored data is deleted or will be: the next program that opens the folder finishes the deletion.",
        "Nothing needs to be done. “daybook doctor --repair” also finishes it."
      )
    case .damagedErasure:
      (
        "erasing.json, which requests the deletion of everything, is damaged or belongs to another store.",
        "It is ignored: nothing is deleted because of it.",
        "Delete the file, and request the deletion again if you want it."
      )
    case .damagedSmallFile:
      (
        "A small file next to the store cannot be read.",
        "No record is in it. Its contents, such as the premium status, are requested or computed again.", Self.repair
      )
    case .busy: ("Another process is writing to the store now.", "This is normal.", Self.nothing)
    case .networkFolder:
      (
        "The data folder is on another machine.",
        "Two machines that write at once may damage it: locks and write order are not reliable there.",
        "Keep the data folder on a local disk; daybook synchronises devices itself."
      )
    case .programFolder:
      (
        "The data folder is on a file system that a program provides.",
        "Whether written data survives a power failure depends on that program.",
        "If it works over a network, move the data folder to a local disk."
      )
    case .syncedFolder:
      (
        "A program such as Dropbox, Syncthing or a cloud drive seems to synchronise the data folder.",
        "It copies files during writes and creates second versions of them, which can lose changes.",
        "Move the data folder to another place; daybook synchronises devices itself."
      )
    default:
      (
        "The latest change is dated more than a day after the current time of the clock.",
        "The clock is or was wrong. The order of changes does not depend on it; their times, and today's date, do.",
        "Set the clock."
      )
    }
  }
}
