import FileStoreTesting

/// A process of a world, which may have the store open.
struct LabSeat {
  /// A snapshot that was kept, and what it must have.
  struct Held {
    let content: any LabContent
    let view: StoreView
    let records: LabModel.Records
  }

  var fileSystem: SimulatedProcess?
  var store: (any LabStore)? { didSet { isDoubtful = false } }
  /// Whether a commit of this opening of the store ended in nobody knowing what is on the medium.
  var isDoubtful = false
  /// Whether it has the right to write until it leaves.
  var isInside = false
  var held: [Held] = []

  /// Keeps what the store has, which `view` was made of.
  mutating func hold(_ view: StoreView, _ model: LabModel) {
    guard let content = store?.hold() else { return }
    held.append(Held(content: content, view: view, records: model.records(view.revisions)))
    // Some go, so that what only they used can be cleaned away.
    if held.count > 3 { held.removeFirst() }
  }

  /// What is held is as it was.
  func compare(_ model: LabModel) throws(Violation) {
    for held in held {
      var known = model
      known.forget(after: held.view.revisions.count)
      let view = try StoreView(held.content, known)
      if view != held.view { throw Violation("held", "a snapshot has become another one") }
      try model.checkRecords(held.content, held.records)
    }
  }
}
