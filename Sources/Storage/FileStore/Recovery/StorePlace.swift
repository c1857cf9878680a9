import Values

/// The location of a data folder, in respects by which other programs or machines may interfere with its files.
package struct StorePlace: Sendable, Equatable {
  package var medium = FileMedium.local
  /// The path, or part of the folder's own path, that shows that a sync program copies the folder; nil without such a
  /// sign.
  package var syncMarker: String?
  /// Files in the data folder that look like a sync program's conflict copies.
  package var conflictCopies: [String] = []
}

extension StorePlace {
  /// Examines the data folder and the folders above it. Writes nothing.
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

  /// Names that sync programs leave at the top of what they copy. `.dropbox` counts only as a file; in a home folder
  /// it is a directory.
  private static let markers = [
    ".stfolder", ".dropbox", ".dropbox.cache", ".owncloudsync.log", ".nextcloudsync.log", ".tmp.drivedownload",
    ".syncthing.tmp", ".insync-trash",
  ]
  /// Names that count only in the folder itself and the one above.
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

  /// Whether a name is one that sync programs give to conflict copies, or to files not downloaded yet.
  static func isConflictCopy(_ name: String) -> Bool {
    let name = name.lowercased()
    let signs = ["sync-conflict", "conflicted copy", "conflict-", "(conflict", "_conf(", "case conflict"]
    if signs.contains(where: { name.contains(text: $0) }) || name.hasSuffix(".icloud") { return true }
    // `000001 (1).jsonl`, as cloud drives name them.
    guard let open = name.lastIndex(of: "("), open > name.startIndex, name[name.index(before: open)] == " ",
      let close = name[open...].firstIndex(of: ")")
    else { return false }
    let number = name[name.index(after: open)..<close]
    return !number.isEmpty && number.allSatisfy { ("0"..."9").contains($0) }
  }
}
