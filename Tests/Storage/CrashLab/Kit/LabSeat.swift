import FileStoreTesting

/// A process of a world, which may have the store open.
struct LabSeat {
  /// A held snapshot, and its expected content.
  struct Held {
    let content: any LabContent
    let view: StoreView
    let records: LabModel.Records
  }

  var fileSystem: SimulatedProcess?
  var store: (any LabStore)? { didSet { isDoubtful = false } }
  /// Whether a commit ended with an unknown outcome since the store was opened.
  var isDoubtful = false
  /// Whether it is in the write window until it leaves.
  var isInside = false
  var held: [Held] = []

  /// Holds the store's content, described by `view`.
  mutating func hold(_ view: StoreView, _ model: LabModel) {
    guard let content = store?.hold() else { return }
    held.append(Held(content: content, view: view, records: model.records(view.revisions)))
    // Some are dropped, so that files used only by them can be removed.
    if held.count > 3 { held.removeFirst() }
  }

  /// Held snapshots are unchanged.
  func compare(_ model: LabModel) throws(Violation) {
    for held in held {
      var known = model
      known.forget(after: held.view.revisions.count)
      let view = try StoreView(held.content, known)
      if view != held.view { throw Violation("held", "a snapshot has changed") }
      try model.checkRecords(held.content, held.records)
    }
  }
}
