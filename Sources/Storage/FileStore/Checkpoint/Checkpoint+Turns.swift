import Values

extension Checkpoint {
  /// What the medium refuses to give up now may be read another time; nothing is written in its place.
  static func incomplete(_ folder: StoreFolder) -> StoreError {
    StoreError(.storeUnavailable, "A part of the store cannot be read.", path: folder.path)
  }

  /// Whether the manifest in use is still the one started from.
  func isCurrent(_ base: StoreBase, _ root: Descriptor) throws(StoreError) -> Bool {
    if base.isOlder { return try !hasReadableManifest() }
    let named = try StoreError.readingIfPresent(
      configuration.fileSystem.status(of: ManifestFiles.Name.current, in: root))
    return named.map { $0.inode == base.inode } ?? (base.inode == 0) || base.isRebuilt
  }

  /// Whether somebody has written a manifest meanwhile, where there was none that could be used.
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

  /// The lock of who makes a checkpoint; nil when another one has it.
  static func takeTurn(in folder: StoreFolder) throws(StoreError) -> Descriptor? {
    try folder.checkWritable()
    guard let root = folder.root else { return nil }
    return try StoreError.writing(folder.fileSystem.takeTurn(StoreFolder.Name.checkpointLock, in: root))
  }
}
