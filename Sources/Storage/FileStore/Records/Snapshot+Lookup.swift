import Values

extension Snapshot {
  /// Passes on the records with some ids, each once, in an order in which each month is read once; ids without a record
  /// are left out. Looking them up one by one would read a month again for each.
  package func forEachRecord(
    withIDs ids: some Sequence<EntityID>, in collection: CollectionName, _ body: (Record) -> Void
  ) {
    let overlay = overlays[collection]
    var unchanged: Set<EntityID> = []
    for id in ids {
      switch overlay?.lookup(id) ?? .unchanged {
      case .record(let record): body(record)
      case .gone: break
      case .unchanged: unchanged.insert(id)
      }
    }
    base.forEachRecord(withIDs: unchanged, in: collection, body)
  }
}

extension StoreBase {
  fileprivate func forEachRecord(withIDs ids: Set<EntityID>, in collection: CollectionName, _ body: (Record) -> Void) {
    var rest = ids
    for entry in (entries[collection] ?? []).reversed() where !rest.isEmpty {
      let here = rest.filter { loader.mayHave($0, in: entry, of: self) }
      guard !here.isEmpty else { continue }
      let segment = loader.segment(entry, of: self)
      for id in here {
        guard let index = segment.index(ofID: id) else { continue }
        rest.remove(id)
        body(segment.record(at: index))
      }
    }
  }
}
