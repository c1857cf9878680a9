import Values

package enum UndoPlan: Sendable {
  /// There is nothing to undo, or it is too long ago.
  case nothing
  case alreadyUndone
  /// Committing these operations, with `undoes` set to the revision, undoes it.
  case ready(revision: Int, label: String, operations: [Operation])
  case conflict(revision: Int, label: String, conflicts: [UndoConflict])
}

/// A record that changed since the transaction to be undone.
package struct UndoConflict: Sendable {
  package let collection: CollectionName
  package let id: EntityID
  /// As the transaction left it; nil when it deleted it.
  package let expected: Record?
  /// Its present state; nil when deleted.
  package let current: Record?
  /// Its state after an undo; nil when it would be deleted.
  package let restored: Record?
}

/// A transaction that may be undone.
package struct UndoEntry: Sendable {
  let revision: Int
  /// Its id, with which `known` has its result.
  package let transaction: EntityID
  let author: String
  let label: String
  let undoes: Int?
  let images: RecordImages
  /// Whether it was undone, and that undo was not undone itself.
  var isUndone = false
  /// The collections that an undo leaves alone.
  var leftOut: Set<CollectionName> = []

  package var count: Int { images.count }

  /// The plan for undoing it in the present state. Takes as long as looking up each of its records.
  ///
  /// - Throws: `cancelled`; `storeUnavailable` when the versions replaced by a large transaction can no longer be
  ///   read.
  package func plan(in snapshot: Snapshot, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError) -> UndoPlan {
    if isUndone { return .alreadyUndone }
    var operations: [Operation] = []
    var conflicts: [UndoConflict] = []
    var reader = RecordReader(snapshot)
    // Content is compared, not revisions: undoing and redoing a change restores the content with a new revision.
    try images.read(revision: revision).forEachRecord { image throws(StoreError) in
      try monitor.check()
      if leftOut.contains(image.collection) { return }
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

  /// The operation that restores the previous state; nil when there is nothing to do.
  private static func restoring(_ image: RecordImage) -> Operation? {
    guard let before = image.before else { return image.after == nil ? nil : .delete(image.collection, id: image.id) }
    return .put(
      image.collection, id: before.id, day: before.day, schema: before.schema, createdAt: before.createdAt,
      updatedAt: before.updatedAt, body: before.body.bytes)
  }
}

extension UndoEntry? {
  /// The plan for undoing it, if there is such a transaction.
  package func plan(in snapshot: Snapshot, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError) -> UndoPlan {
    try self?.plan(in: snapshot, monitor) ?? .nothing
  }
}
