import Values

/// The store's in-memory state, and how a transaction changes it, whether it is new or replayed from a journal.
struct StoreMemory: Sendable {
  private(set) var snapshot: Snapshot
  private(set) var changes: ChangeLog
  private(set) var undo: UndoLog
  /// Transactions that are not durable yet, oldest first, with what a rollback needs.
  private var pending: [(revision: Int, images: ReadImages)] = []
  /// Whether lines were lost, so that the previous versions in later lines may differ from the segments.
  private var distrusts: Bool
  /// Whether the segments may already contain transactions of the journals, or later versions.
  private let repeats: Bool
  /// Whether changes and undo information are retained.
  private let remembers: Bool
  /// The number of edits, not counting rebasing and dropping rollback information.
  private(set) var edits = 0

  /// - Parameter undoDepth: How many transactions of an author can be undone; with 0, for read-only use, history is
  ///   dropped at once.
  init(base: StoreBase, retainedChanges: Int, undoDepth: Int) {
    snapshot = Snapshot(base: base)
    remembers = undoDepth > 0
    distrusts = base.isDamaged
    repeats = base.isRebuilt
    changes = ChangeLog(capacity: retainedChanges, floor: base.revision)
    undo = UndoLog(depth: undoDepth)
  }

  var revision: Int { snapshot.revision }

  /// For each operation of a new transaction from index `first` on, the version of the record that it would replace;
  /// trailing nils are left out.
  func versions(before operations: [Operation], from first: Int = 0, revision: Int) -> [Record?] {
    guard operations.count > 1 else { return operations.map { snapshot.record($0.id, in: $0.collection) } }
    // An operation sees the effect of earlier ones in the same transaction.
    var latest: [RecordName: Int] = [:]
    latest.reserveCapacity(operations.count)
    var reader = RecordReader(snapshot)
    var versions: [Record?] = []
    for (index, operation) in operations.enumerated() {
      let name = RecordName(collection: operation.collection, id: operation.id)
      let earlier = latest.updateValue(index, forKey: name)
      guard index >= first else { continue }
      let version =
        earlier.map { operations[$0].record(revision: revision) }
        ?? reader.record(operation.id, in: operation.collection)
      guard let version else { continue }
      versions += repeatElement(nil, count: index - first - versions.count)
      versions.append(version)
    }
    return versions
  }

  /// Applies a transaction; `isDurable` means that it cannot be rolled back.
  ///
  /// - Parameter place: The place of its line in a journal.
  mutating func apply(_ entry: JournalEntry, revision: Int, isDurable: Bool, told place: JournalPlace? = nil) {
    edits += 1
    let transaction = entry.transaction
    let isTold = tellsAll(entry)
    let keepsImages = !isTold && (!isDurable || remembers)
    var images: [RecordImage] = []
    if keepsImages { images.reserveCapacity(transaction.operations.count) }
    // The records this transaction has put already, where the segments may have later versions.
    var made: Set<RecordName> = []
    for (index, operation) in transaction.operations.enumerated() {
      let before = entry.before(index) ?? snapshot.recentRecord(operation.id, in: operation.collection)
      if repeats {
        let name = RecordName(collection: operation.collection, id: operation.id)
        if !made.contains(name), let present = snapshot.record(operation.id, in: operation.collection),
          present.revision >= revision
        {
          continue
        }
        made.insert(name)
      }
      if distrusts { removeStray(operation, stated: before, revision) }
      let record = operation.record(revision: revision)
      if let record {
        snapshot.put(record, replacing: before?.position, in: operation.collection)
      } else {
        snapshot.remove(operation.id, at: before?.position, from: operation.collection, since: revision)
        if before == nil { continue }
      }
      if remembers { changes.append(operation.collection, operation.id, before: before, revision: revision) }
      guard keepsImages else { continue }
      images.append(RecordImage(collection: operation.collection, id: operation.id, before: before, after: record))
    }
    snapshot.revision = repeats ? max(snapshot.revision, revision) : revision
    if !isDurable { pending.append((revision, isTold ? .entry(entry, revision: revision) : .kept(images))) }
    guard remembers else { return }
    changes.trim()
    undo.append(
      UndoEntry(
        revision: revision, transaction: transaction.id, author: transaction.author, label: transaction.label,
        undoes: transaction.undoes,
        images: !isTold
          ? .kept(images) : place.map { .told($0, count: transaction.operations.count) } ?? .entry(entry)),
      isDurable: isDurable)
  }

  /// Whether a transaction is large and its line alone contains everything needed to undo it.
  private func tellsAll(_ entry: JournalEntry) -> Bool {
    let operations = entry.transaction.operations
    guard operations.count >= RecordImages.many, !repeats else { return false }
    return operations.indices.allSatisfy { index in
      let operation = operations[index]
      return entry.before(index) != nil || snapshot.recentRecord(operation.id, in: operation.collection) == nil
    }
  }

  /// Removes a version at a position that no remaining line mentions, as segments may have after a loss.
  private mutating func removeStray(_ operation: Operation, stated: Record?, _ revision: Int) {
    guard let stray = snapshot.record(operation.id, in: operation.collection), stray.position != stated?.position else {
      return
    }
    snapshot.remove(operation.id, at: stray.position, from: operation.collection, since: revision)
  }

  /// Drops the rollback information of durable transactions.
  mutating func settle(durable revision: Int) {
    let count = pending.prefix { $0.revision <= revision }.count
    guard count > 0 else { return }
    for transaction in pending[..<count] { undo.trim(durable: transaction.revision) }
    pending.removeFirst(count)
  }

  /// Rolls back everything after `revision`, the last durable one.
  mutating func rollBack(to revision: Int) {
    edits += 1
    settle(durable: revision)
    for transaction in pending.reversed() {
      for index in (0..<transaction.images.count).reversed() {
        let image = transaction.images[index]
        if let before = image.before {
          snapshot.put(before, replacing: image.after?.position, in: image.collection)
        } else {
          snapshot.remove(image.id, at: image.after?.position, from: image.collection, since: transaction.revision)
        }
      }
      undo.rollBack(transaction.revision)
    }
    pending.removeAll()
    changes.rollBack(to: revision)
    snapshot.revision = min(snapshot.revision, revision)
  }

  /// Skips revisions that lost transactions may have had.
  mutating func skip(to revision: Int) {
    guard revision > snapshot.revision else { return }
    snapshot.revision = revision
    noteLoss(before: revision + 1)
  }

  /// Records that transactions before `revision` were lost.
  mutating func noteLoss(before revision: Int) {
    edits += 1
    changes.lose(before: revision)
    distrusts = true
  }

  /// Adopts newer segments; everything up to their revision is known here.
  mutating func rebase(on base: StoreBase) {
    snapshot.rebase(on: base)
    if base.isDamaged { distrusts = true }
  }

  /// Adds the changes and undo entries of older journals before the first transaction here.
  mutating func prepend(_ older: StoreMemory) {
    edits += 1
    changes.prepend(older.changes)
    undo = older.undo.followed(by: undo)
  }
}

struct RecordName: Hashable {
  let collection: CollectionName
  let id: EntityID
}

extension Operation {
  /// The collection of the record.
  package var collection: CollectionName {
    switch self {
    case .put(let collection, _, _, _, _, _, _), .delete(let collection, _): collection
    }
  }

  /// The id of the record.
  package var id: EntityID {
    switch self {
    case .put(_, let id, _, _, _, _, _), .delete(_, let id): id
    }
  }

  /// The version of the record that it results in; nil for a deletion.
  func record(revision: Int) -> Record? {
    guard case .put(_, let id, let day, let schema, let createdAt, let updatedAt, let body) = self else { return nil }
    return Record(
      id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema, revision: revision,
      body: RecordBody(body[...]))
  }
}
