import Values

/// Classifies names, and looks for files.
extension FolderSurvey {
  static let ownFiles: Set<String> = [
    StoreFolder.Name.identity, StoreFolder.Name.lock, StoreFolder.Name.checkpointLock, ManifestFiles.Name.current,
    LatestMark.fileName, AheadFile.fileName, StoreFolder.Name.reserve, StoreFolder.Name.checkpointReserve,
    StoreFolder.Name.scrubbed,
    RestoreRequest.fileName,
    ErasureMarker.fileName, StoreFolder.Name.reminderTurn, StoreFolder.Name.syncLock, "made-for-tests",
  ]
  static let ownFolders: Set<String> = [
    StoreFolder.Name.journal, StoreFolder.Name.segments, Quarantine.Name.folder, BackupPlace.folderName,
    Erasure.logFolder,
  ]

  /// Whether a name is one that the store itself writes.
  func isOwn(_ path: String) -> Bool {
    let first = path.split(separator: "/").first.map(String.init) ?? path
    return FolderSurvey.ownFiles.contains(first) || ManifestFiles.Name.generation(of: first) != nil
      || first == StoreFolder.Name.journal || first == StoreFolder.Name.segments
      || first == path && (FolderSurvey.ownFolders.contains(path) || SmallFile.Name(rawValue: path) != nil)
  }

  /// Whether a name is that of a file about to replace another: `store.json.42.…`, `manifest.42.…`, `….tmp`, `….new`.
  static func isTemporary(_ name: String) -> Bool {
    if name.hasSuffix(".tmp") || name.hasSuffix(".new") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return false }
    return parts.dropFirst().contains { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }
      && (parts.last.map { EntityID(String($0)) != nil } ?? false)
  }

  /// Whether something exists at a path relative to a folder.
  func hasFile(_ path: String, in root: Descriptor) -> Bool {
    var tree = FolderTree(fileSystem, root)
    guard let place = try? tree.place(of: path) else { return false }
    return (try? fileSystem.status(of: place.name, in: place.folder)) != nil
  }

  func names(_ directory: Descriptor) -> [String] { ((try? fileSystem.names(in: directory)) ?? []).sorted() }

  /// Whether the backups folder contains a finished backup.
  func hasBackup(_ root: Descriptor) -> Bool {
    guard let directory = try? fileSystem.openDirectory(BackupPlace.folderName, in: root) else { return false }
    defer { fileSystem.close(directory) }
    return names(directory).contains { name in
      !name.hasPrefix(".") && (try? fileSystem.status(of: name, in: directory).kind) == .directory
    }
  }
}
