import FileStore

extension Finding.Kind {
  /// The same of the small files beside the store, of the place where the folder is, and of who is there.
  var placeExplanation: (what: String, meaning: String, advice: String) {
    switch self {
    case .damagedSecrets:
      (
        "secrets.json, which has keys and passwords, cannot be read.",
        "What needs them does not work until they are given again. No record is in it.",
        "Give them again. The file stays as it is: it is not copied anywhere."
      )
    case .unfinishedErasure:
      (
        "Deleting everything was begun, and not brought to its end.",
        "What was stored is gone, or will be: the next program that opens the folder finishes it.",
        "Nothing needs to be done. “daybook doctor --repair” finishes it too."
      )
    case .damagedErasure:
      (
        "erasing.json, which says that everything is to be deleted, is damaged or speaks of another store.",
        "It is not followed: nothing is deleted because of it.",
        "Delete the file, and say again that everything is to be deleted if that was meant."
      )
    case .damagedSmallFile:
      (
        "A small file beside the store cannot be read.",
        "No record is in it. What it says is asked for or computed again, such as the premium status.", Self.repair
      )
    case .busy: ("Another process is writing to the store just now.", "Nothing is wrong with that.", Self.nothing)
    case .networkFolder:
      (
        "The data folder is on another machine.",
        "Two machines that write at once may damage it: locks and the order of writes cannot be relied on there.",
        "Keep the data folder on a local disk; daybook synchronises devices by itself."
      )
    case .programFolder:
      (
        "The data folder is on a file system that a program provides.",
        "Whether what was written survives a power cut depends on that program.",
        "Keep the data folder on a local disk if it is one that works over a network."
      )
    case .syncedFolder:
      (
        "A program seems to copy the data folder to and fro, such as Dropbox, Syncthing or a cloud drive.",
        "It copies files while they are being written and makes second versions of them; changes can be lost by that.",
        "Move the data folder to another place; daybook synchronises devices by itself."
      )
    default:
      (
        "The latest change was made more than a day after the time that the clock shows now.",
        "The clock is wrong, or was. The order of changes does not depend on it; their times, and today's day, do.",
        "Set the clock."
      )
    }
  }
}
