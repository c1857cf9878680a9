import DomainKit
import SyncEngine

/// How each collection of a data folder travels.
enum SyncCollections {
  static let all = SyncedCollection.declared(
    besides: SessionConstants.ownCollections,
    understanding: { StoredForms.understanding(of: $0, schema: $1, in: $2) })
}

extension Snapshot {
  /// The number of records, without the bookkeeping of sync.
  var userRecordCount: Int {
    collections.reduce(0) { SyncParticipant.internalCollections.contains($1) ? $0 : $0 + count(in: $1) }
  }
}
