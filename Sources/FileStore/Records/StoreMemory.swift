/// Everything the store knows, and how a transaction changes it: the same whether it is new or read from a journal.
struct StoreMemory: Sendable {
  private(set) var snapshot = Snapshot()
  private(set) var changes: ChangeLog
  private(set) var undo: UndoLog
  /// Transactions that are not durable yet, oldest first, with what would take them back.
  private var pending: [(revision: Int, images: [RecordImage])] = []

  init(retainedChanges: Int, undoDepth: Int) {
    changes = ChangeLog(capacity: retainedChanges)
    undo = UndoLog(depth: undoDepth)
  }

  /// The revision of the last transaction.
  var revision: Int { snapshot.revision }

  /// Makes the changes of a transaction.
  mutating func apply(_ transaction: Transaction, revision: Int, isDurable: Bool) {
    var images: [RecordImage] = []
    images.reserveCapacity(transaction.operations.count)
    for operation in transaction.operations {
      switch operation {
      case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body):
        let record = Record(
          id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema, revision: revision,
          body: RecordBody(body[...]))
        let before = snapshot.put(record, in: collection)
        images.append(RecordImage(collection: collection, id: id, before: before, after: record))
      case .delete(let collection, let id):
        guard let before = snapshot.remove(id, from: collection) else { continue }
        images.append(RecordImage(collection: collection, id: id, before: before, after: nil))
      }
    }
    snapshot.revision = revision
    changes.append(images, revision: revision)
    undo.append(
      UndoEntry(
        revision: revision, author: transaction.author, label: transaction.label, undoes: transaction.undoes,
        images: images))
    if isDurable { undo.trim(durable: revision) } else { pending.append((revision, images)) }
  }

  /// Forgets how to take back what is durable by now.
  mutating func settle(durable revision: Int) {
    let count = pending.prefix { $0.revision <= revision }.count
    guard count > 0 else { return }
    for transaction in pending[..<count] { undo.trim(durable: transaction.revision) }
    pending.removeFirst(count)
  }

  /// Takes back everything after `revision`, which is the last durable one.
  mutating func rollBack(to revision: Int) {
    settle(durable: revision)
    for transaction in pending.reversed() {
      for image in transaction.images.reversed() {
        if let before = image.before {
          _ = snapshot.put(before, in: image.collection)
        } else {
          _ = snapshot.remove(image.id, from: image.collection)
        }
      }
      undo.rollBack(transaction.revision)
    }
    pending.removeAll()
    changes.rollBack(to: revision)
    snapshot.revision = min(snapshot.revision, revision)
  }

  /// Leaves out revisions that lost transactions may have had.
  mutating func skip(to revision: Int) {
    guard revision > snapshot.revision else { return }
    snapshot.revision = revision
    changes.lose(before: revision + 1)
  }

  /// Says that transactions before `revision` were lost.
  mutating func noteLoss(before revision: Int) { changes.lose(before: revision) }
}
