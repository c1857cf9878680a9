import FileStore
import Values

/// A commit participant that must be in every transaction, whichever way it comes: it keeps one record that each of them
/// puts.
struct LabParticipant: CommitParticipant {
  let ownCollections: Set<CollectionName> = [collection]

  private static let collection = CollectionName("participant")
  private static let id = EntityID(high: 10, low: 0)

  func additions(to change: PendingChange) -> [Operation] {
    [
      .put(
        LabParticipant.collection, id: LabParticipant.id, day: nil, schema: 1, createdAt: change.at,
        updatedAt: change.at, body: Array("{}".utf8))
    ]
  }

  /// What is wrong with the record in a state that nothing is missing in; nil when nothing is.
  ///
  /// - Parameter witnesses: The collection in which each transaction leaves a record.
  static func problem(in snapshot: Snapshot, witnesses: CollectionName) -> String? {
    // Reads all of it, so that damage is found.
    let found = snapshot.records(in: collection).map(\.revision)
    // A revision may have no transaction.
    let last = snapshot.records(in: witnesses).map(\.revision).max()
    return found == [last].compactMap { $0 }
      ? nil : "the participant is in \(found), the last transaction is \(last ?? 0)"
  }
}
