import Values

/// How to take a transaction back.
package enum UndoPlan: Sendable {
  /// There is nothing to take back, or it is too long ago.
  case nothing
  /// It was taken back already.
  case alreadyUndone
  /// Committing these operations, with `undoes` set to the revision, takes it back.
  case ready(revision: Int, label: String, operations: [Operation])
  /// Some of its records were changed since.
  case conflict(revision: Int, label: String, conflicts: [UndoConflict])
}

/// A record that changed since the transaction that is to be taken back.
package struct UndoConflict: Sendable {
  package let collection: CollectionName
  package let id: EntityID
  /// As the transaction left it; nil when it deleted it.
  package let expected: Record?
  /// As it is now; nil when it is gone.
  package let current: Record?
  /// As it would be if the transaction were taken back; nil when it would be gone.
  package let restored: Record?
}

/// A transaction that may be taken back.
package struct UndoEntry: Sendable {
  let revision: Int
  let author: String
  let label: String
  let undoes: Int?
  let images: RecordImages
  /// Whether it was taken back, and that was not itself taken back.
  var isUndone = false

  /// How many changes of records it made.
  package var count: Int { images.count }

  /// The plan for taking it back from the present state. Takes as long as looking up each of its records.
  ///
  /// - Throws: `cancelled`; `storeUnavailable` when what a large one replaced cannot be read any more.
  package func plan(in snapshot: Snapshot, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError) -> UndoPlan {
    if isUndone { return .alreadyUndone }
    var operations: [Operation] = []
    var conflicts: [UndoConflict] = []
    var reader = RecordReader(snapshot)
    // Content is compared, not revisions: undo and redo of a change leave the content with a new revision.
    try images.read(revision: revision).forEachRecord { image throws(StoreError) in
      try monitor.check()
      let current = reader.record(image.id, in: image.collection, on: (image.after ?? image.before)?.day)
      if UndoEntry.isSame(image.after, current) {
        if let operation = UndoEntry.restoring(image) { operations.append(operation) }
      } else {
        conflicts.append(
          UndoConflict(
            collection: image.collection, id: image.id, expected: image.after, current: current, restored: image.before)
        )
      }
    }
    return conflicts.isEmpty
      ? .ready(revision: revision, label: label, operations: operations)
      : .conflict(revision: revision, label: label, conflicts: conflicts)
  }

  private static func isSame(_ left: Record?, _ right: Record?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.hasSameContent(as: right, but: "updatedAt")
    default: false
    }
  }

  /// The operation that brings back what was before; nil when there is nothing to do.
  private static func restoring(_ image: RecordImage) -> Operation? {
    guard let before = image.before else { return image.after == nil ? nil : .delete(image.collection, id: image.id) }
    return .put(
      image.collection, id: before.id, day: before.day, schema: before.schema, createdAt: before.createdAt,
      updatedAt: before.updatedAt, body: before.body.bytes)
  }
}

extension UndoEntry? {
  /// The plan for taking it back, if there is such a transaction.
  package func plan(in snapshot: Snapshot, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError) -> UndoPlan {
    try self?.plan(in: snapshot, monitor) ?? .nothing
  }
}
