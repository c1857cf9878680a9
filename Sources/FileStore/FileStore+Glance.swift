import Values

extension FileStore {
  /// The present version of one record that has no day, for a start that needs a few of them: found without reading the rest of the
  /// store when everything on the way to it is in order, else by reading everything. What `snapshot` would say at this moment.
  /// Further glances cost little until `latestRevision` is asked for, which is to come last.
  package func glance(_ id: EntityID, in collection: CollectionName) throws(StoreError) -> Record? {
    try checkOpen()
    if loaded == nil {
      try leaveIfErased()
      try lookForMissing()
      // Where nothing was ever stored there is nothing to read.
      guard folder.identity != nil || folder.journal != nil || Doctor.hasStore(folder) else { return nil }
      switch glimpsed()?.lookup(id, in: collection, loader) ?? .unknown {
      case .record(let record): return record
      case .absent: return nil
      case .unknown: break
      }
    }
    return try load().memory.snapshot.record(id, in: collection)
  }

  /// What was read of the store at a glance, if that is still all there is; else it is read now. Nil when it is not in order.
  func glimpsed() -> Glimpse? {
    if let glimpse, glimpse.hasTexts, glimpse.isCurrent(folder) { return glimpse }
    prepareLoader()
    glimpse = Glimpse(folder, hasSegments: loader.hasFolder)
    return glimpse
  }

  /// Sees to it that segments can be read, if there are any by now.
  func prepareLoader() {
    guard !loader.hasFolder else { return }
    loader = SegmentLoader(folder, configuration)
  }
}
