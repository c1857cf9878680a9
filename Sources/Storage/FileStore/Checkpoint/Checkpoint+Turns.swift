import Values

extension Checkpoint {
  /// The error for an unreadable part: it may be readable later, so nothing is written in its place.
  static func incomplete(_ folder: StoreFolder) -> StoreError {
    StoreError(.storeUnavailable, "A part of the store cannot be read.", path: folder.path)
  }

  /// Whether the current manifest is still the one this checkpoint started from.
  func isCurrent(_ base: StoreBase, _ root: Descriptor) throws(StoreError) -> Bool {
    if base.isOlder { return try !hasReadableManifest() }
    let named = try StoreError.readingIfPresent(
      configuration.fileSystem.status(of: ManifestFiles.Name.current, in: root))
    return named.map { $0.inode == base.inode } ?? (base.inode == 0) || base.isRebuilt
  }

  /// Whether another process has written a readable manifest meanwhile.
  private func hasReadableManifest() throws(StoreError) -> Bool {
    var ignored = RecoveryReport()
    switch try folder.manifests?.read(ManifestFiles.Name.current, &ignored) {
    case .absent, .unusable, nil: return false
    case .newer: return true
    case .readable(_, let file):
      configuration.fileSystem.close(file)
      return true
    }
  }

  /// Takes the lock that only one checkpoint at a time holds; nil when another one holds it.
  static func takeTurn(in folder: StoreFolder) throws(StoreError) -> Descriptor? {
    try folder.checkWritable()
    guard let root = folder.root else { return nil }
    return try StoreError.writing(folder.fileSystem.takeTurn(StoreFolder.Name.checkpointLock, in: root))
  }
}
