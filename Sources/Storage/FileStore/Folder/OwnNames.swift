/// The names that the store and its companions use in a data folder.
package enum OwnNames {
  /// Whether a folder with these entries may be a data folder: it has one of our names, or nothing that a person would
  /// miss.
  package static func allow(_ names: [String]) -> Bool {
    let visible = names.filter { !$0.hasPrefix(".") && $0 != "lost+found" }
    return visible.isEmpty || visible.contains { all.contains($0) || isBeginning($0) }
  }

  /// Whether it is a temporary name of one of ours, `flags.json.71.new`: two processes may create a folder at once.
  private static func isBeginning(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    return parts.count > 2 && parts.last == "new" && all.contains(parts.dropLast(2).joined(separator: "."))
  }

  private static let all = Set(
    [
      StoreFolder.Name.identity, StoreFolder.Name.lock, StoreFolder.Name.journal, StoreFolder.Name.segments,
      StoreFolder.Name.reserve, StoreFolder.Name.checkpointReserve, StoreFolder.Name.checkpointLock,
      StoreFolder.Name.scrubbed,
      StoreFolder.Name.reminderTurn, StoreFolder.Name.syncLock, ManifestFiles.Name.current, Quarantine.Name.folder,
      ErasureMarker.fileName,
      BackupPlace.folderName, "logs", "made-for-tests",
    ] + SmallFile.Name.allCases.map(\.rawValue))
}
