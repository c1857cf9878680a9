import Values

extension FileStore {
  /// The present version of one record that has no day, for a start that needs a few of them: found without reading the rest of the
  /// store when everything on the way to it is in order, else by reading everything. What `snapshot` would say at this moment.
  /// Further previews cost little until `latestRevision` is asked for, which is to come last.
  package func preview(_ id: EntityID, in collection: CollectionName) throws(StoreError) -> Record? {
    try checkOpen()
    if loaded == nil {
      try leaveIfErased()
      try lookForMissing()
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
