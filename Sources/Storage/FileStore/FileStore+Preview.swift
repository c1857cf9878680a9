import Values

extension FileStore {
  /// The present version of one record that has no day, for a start that needs a few of them: found without reading the rest of the
  /// store when everything on the way to it is in order, else by reading everything. What `snapshot` would say at this moment.
  package func preview(_ id: EntityID, in collection: CollectionName) throws(StoreError) -> Record? {
    try lookBeforePreview()
    if loaded == nil {
      // Where nothing was ever stored there is nothing to read.
      guard folder.identity != nil || folder.journal != nil || Doctor.hasStore(folder) else { return nil }
      switch currentPreview()?.lookup(id, in: collection, loader) ?? .unknown {
      case .record(let record): return record
      case .absent: return nil
      case .unknown: break
      }
    }
    return try load().memory.snapshot.record(id, in: collection)
  }

  /// Reads what single records are found in: until `endPreviews` a preview and `latestRevision` cost next to nothing.
  package func beginPreviews() throws(StoreError) {
    try lookBeforePreview()
    if loaded == nil { _ = currentPreview() }
  }

  /// Gives back the memory of that.
  package func endPreviews() { storePreview?.releaseTexts() }

  private func lookBeforePreview() throws(StoreError) {
    try checkOpen()
    guard loaded == nil else { return }
    try leaveIfErased()
    try lookForMissing()
  }

  /// What was read of the store for single records, if that is still all there is; else it is read now. Nil when it is not in order.
  func currentPreview() -> StorePreview? {
    if let storePreview, storePreview.hasTexts, storePreview.isCurrent(folder) { return storePreview }
    prepareLoader()
    storePreview = StorePreview(folder, hasSegments: loader.hasFolder)
    return storePreview
  }

  /// Ensures that segments can be read, if there are any by now.
  func prepareLoader() {
    guard !loader.hasFolder else { return }
    loader = SegmentLoader(folder, configuration)
  }
}
