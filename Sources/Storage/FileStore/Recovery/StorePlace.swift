import Values

/// What is to be known of the place where a data folder is: several programs or machines may be at its files there.
package struct StorePlace: Sendable, Equatable {
  /// What the folder is on.
  package var medium = FileMedium.local
  /// The path, or the part of the folder's own path, by which it is seen that a program copies the folder to and fro; nil when
  /// there is no sign of that.
  package var syncMarker: String?
  /// Files within the data folder that look like copies which such a program made of files that were changed in two places.
  package var conflictCopies: [String] = []
}

extension StorePlace {
  /// Looks around in and above the data folder. Writes nothing.
  init(_ folder: StoreFolder) {
    guard let root = folder.root else { return }
    let fileSystem = folder.fileSystem
    medium = fileSystem.medium(of: root)
    syncMarker = StorePlace.marker(folder.path, fileSystem)
    for (directory, prefix) in [(root, ""), (folder.journal ?? root, StoreFolder.Name.journal + "/")]
    where prefix.isEmpty || folder.journal != nil {
      for name in ((try? fileSystem.names(in: directory)) ?? []).sorted() {
        if StorePlace.isConflictCopy(name) { conflictCopies.append(prefix + name) }
      }
    }
  }

  /// Names that programs leave at the top of what they copy. `.dropbox` is one as a file; in a home it is a folder.
  private static let markers = [
    ".stfolder", ".dropbox", ".dropbox.cache", ".owncloudsync.log", ".nextcloudsync.log", ".tmp.drivedownload",
    ".syncthing.tmp", ".insync-trash",
  ]
  /// The same, where only the folder itself and the one above are meant.
  private static let nearMarkers = ["desktop.ini", ".icloud"]
  private static let knownFolders: Set<String> = [
    "Dropbox", "OneDrive", "Google Drive", "GoogleDrive", "My Drive", "iCloud Drive", "Mobile Documents", "Nextcloud",
    "ownCloud", "pCloudDrive",
  ]

  private static func marker(_ path: String, _ fileSystem: any FileSystem) -> String? {
    var at = path[...]
    var height = 0
    while !at.isEmpty {
      for name in markers + (height < 2 ? nearMarkers : []) {
        let candidate = at + "/" + name
        guard let status = try? fileSystem.status(path: String(candidate)) else { continue }
        if name != ".dropbox" || status.kind == .file { return String(candidate) }
      }
      guard let slash = at.lastIndex(of: "/") else { break }
      at = at[..<slash]
      height += 1
    }
    let parts = path.split(separator: "/")
    return parts.first { knownFolders.contains(String($0)) || $0.hasPrefix("OneDrive - ") }.map(String.init)
  }

  /// Whether a file's name is one that programs give to the second of two versions, or to a file that is not there yet.
  static func isConflictCopy(_ name: String) -> Bool {
    let name = name.lowercased()
    let signs = ["sync-conflict", "conflicted copy", "conflict-", "(conflict", "_conf(", "case conflict"]
    if signs.contains(where: { name.contains(text: $0) }) || name.hasSuffix(".icloud") { return true }
    // `000001 (1).jsonl`, as cloud drives have it.
    guard let open = name.lastIndex(of: "("), open > name.startIndex, name[name.index(before: open)] == " ",
      let close = name[open...].firstIndex(of: ")")
    else { return false }
    let number = name[name.index(after: open)..<close]
    return !number.isEmpty && number.allSatisfy { ("0"..."9").contains($0) }
  }
}
