import Values

extension FileStore {
  /// The current version of one undated record, for a start that needs only a few. It is found without reading the
  /// rest of the store if everything on the way is in order, else by reading everything. Equals what `snapshot` would
  /// return now.
  package func preview(_ id: EntityID, in collection: CollectionName) throws(StoreError) -> Record? {
    try lookBeforePreview()
    if loaded == nil {
      // An empty folder needs no read.
      guard folder.identity != nil || folder.journal != nil || Doctor.hasStore(folder) else { return nil }
      switch currentPreview()?.lookup(id, in: collection, loader) ?? .unknown {
      case .record(let record): return record
      case .absent: return nil
      case .unknown: break
      }
    }
    return try load().memory.snapshot.record(id, in: collection)
  }

  /// Reads what single-record lookups need: until `endPreviews`, `preview` and `latestRevision` are nearly free.
  package func beginPreviews() throws(StoreError) {
    try lookBeforePreview()
    if loaded == nil { _ = currentPreview() }
  }

  /// Releases the memory that previews use.
  package func endPreviews() { storePreview?.releaseTexts() }

  private func lookBeforePreview() throws(StoreError) {
    try checkOpen()
    guard loaded == nil else { return }
    try reopenIfErased()
    try openMissing()
  }

  /// The preview data if it is still current, else read now; nil when it is not in order.
  func currentPreview() -> StorePreview? {
    if let storePreview, storePreview.hasTexts, storePreview.isCurrent(folder) { return storePreview }
    prepareLoader()
    storePreview = StorePreview(folder, hasSegments: loader.hasFolder)
    return storePreview
  }

  /// Ensures that segments can be read if they exist by now.
  func prepareLoader() {
    guard !loader.hasFolder else { return }
    loader = SegmentLoader(folder, configuration)
  }
}
