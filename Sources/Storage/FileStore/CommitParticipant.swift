import CivilTime

/// Takes part in every commit of a store, whichever way a change comes: as a transaction, prepared in advance, as an
/// undo, or as an import of any size. Its operations are part of the change: both are stored, or neither is.
package protocol CommitParticipant: Sendable {
  /// The collections that only this participant writes. They are left out of undo, of changes, of exports and of
  /// imports.
  var ownCollections: Set<CollectionName> { get }

  /// The operations to commit with a change, of any collections; usually none. One on a record of which the change has
  /// an operation takes that one's place. Called on any thread, while the change is committed or prepared, and again if
  /// it is prepared again.
  ///
  /// - Throws: `invalidTransaction` for a change that must not be stored, which is a defect of who made it.
  func additions(to change: PendingChange) throws(StoreError) -> [Operation]

  /// Those of its own collections that belong to the folder, and not to what is in it: while a backup is restored they
  /// stay as they are.
  var folderCollections: Set<CollectionName> { get }

  /// The puts in `folderCollections` that a restore makes; usually none.
  ///
  /// - Parameter present: The store before it.
  func additions(toRestoreOver present: Snapshot, at: Instant) -> [Operation]

  /// What a store with this content uses, by the names in `ManifestHead.Features.known.compatible`: versions of the
  /// program without it read the store and do not write it.
  func features(of snapshot: Snapshot) -> [String]

  /// The put by which an export says what a record in one of its own collections holds; usually none.
  func exported(_ record: borrowing Record, in collection: CollectionName) -> Operation?
}

extension CommitParticipant {
  package var folderCollections: Set<CollectionName> { [] }
  package func additions(toRestoreOver present: Snapshot, at: Instant) -> [Operation] { [] }
  package func features(of snapshot: Snapshot) -> [String] { [] }
  package func exported(_ record: borrowing Record, in collection: CollectionName) -> Operation? { nil }
}

/// A change that is about to be committed, including what participants before this one have added.
package struct PendingChange {
  /// The time of the change.
  package let at: Instant
  /// Who requested it.
  package let author: String
  /// Its purpose, such as the method's name.
  package let label: String
  /// The store's state that it applies to.
  package let snapshot: Snapshot
  /// Whether it only puts records with freshly made ids; then they replace nothing.
  package let isOfNewRecords: Bool
  /// Whether what it removes was not deleted by the user: it is a replacing import.
  package let isReplacement: Bool
  /// The revision of the change that this one undoes.
  package let undoes: Int?
  private let content: Content

  private enum Content {
    /// The operations, and the versions that they replace, without trailing nils.
    case operations([Operation], before: [Record?])
    case lines(ImportPlan, ImportContent)
  }

  init(_ transaction: Transaction, before: [Record?], in snapshot: Snapshot) {
    (at, author, label) = (transaction.at, transaction.author, transaction.label)
    (isOfNewRecords, isReplacement) = (transaction.isOfNewRecords, transaction.isReplacement)
    undoes = transaction.undoes
    self.snapshot = snapshot
    content = .operations(transaction.operations, before: before)
  }

  /// - Parameter plan: An import that is too large for the journal.
  init(
    _ plan: ImportPlan, _ content: ImportContent, _ mode: StoreImportMode, at: Instant, author: String, label: String,
    in snapshot: Snapshot
  ) {
    (self.at, self.author, self.label) = (at, author, label)
    (isOfNewRecords, isReplacement, undoes) = (false, mode == .replace, nil)
    self.snapshot = snapshot
    self.content = .lines(plan, content)
  }

  /// The revision that the change will have.
  package var revision: Int { snapshot.revision + 1 }

  /// Whether it has more operations than that, or is an import that is too large for the journal.
  package func isLarger(than count: Int) -> Bool {
    if case .operations(let operations, _) = content { operations.count > count } else { true }
  }

  /// Whether it puts or deletes a record of a collection.
  package func touches(_ collection: CollectionName) -> Bool {
    switch content {
    case .operations(let operations, _): operations.contains { $0.collection == collection }
    case .lines(let plan, let content): plan.touches(collection, content)
    }
  }

  /// Passes on each operation with the version of the record that it replaces, in order. Takes as long as looking up
  /// each record if the change is a large import.
  package func forEach<Failure: Error>(
    _ body: (Operation, _ before: Record?) throws(Failure) -> Void
  ) throws(Failure) {
    switch content {
    case .operations(let operations, let before):
      for (index, operation) in operations.enumerated() {
        try body(operation, index < before.count ? before[index] : nil)
      }
    case .lines(let plan, let content):
      var reader = RecordReader(snapshot)
      try plan.forEachOperation(content) { operation throws(Failure) in
        try body(operation, reader.record(operation.id, in: operation.collection))
      }
    }
  }
}

extension [any CommitParticipant] {
  /// The collections that only participants write.
  var ownCollections: Set<CollectionName> { reduce(into: []) { $0.formUnion($1.ownCollections) } }

  /// The features of a store with this content.
  func features(of snapshot: Snapshot) -> ManifestHead.Features {
    ManifestHead.Features(compatible: flatMap { $0.features(of: snapshot) }.sorted())
  }
}
