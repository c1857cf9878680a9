import CivilTime
import Values

/// The whole content of the store at one revision. It is a value: it costs next to nothing to take, and stays as it was.
package struct Snapshot: Sendable {
  /// The revision of the last transaction in it; 0 for an empty store.
  package internal(set) var revision = 0
  private var collections: [CollectionName: RecordCollection] = [:]

  init() {}

  /// The record with that id.
  package func record(_ id: EntityID, in collection: CollectionName) -> Record? {
    collections[collection]?.record(id)
  }

  /// How many records a collection has, on all days or within `days`.
  package func count(in collection: CollectionName, days: ClosedRange<CivilDay>? = nil) -> Int {
    guard let collection = collections[collection] else { return 0 }
    return days.map { collection.count(days: $0) } ?? collection.count
  }

  /// The records of a collection, newest first: by day, then time of creation, then id, all descending; those without a
  /// day come last, or not at all when `days` is given.
  ///
  /// - Parameters:
  ///   - after: Only what comes behind this place in the list, whether or not a record still has it.
  ///   - limit: The most to return.
  package func records(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil, limit: Int = .max
  ) -> [Record] {
    guard limit > 0, let collection = collections[collection] else { return [] }
    var records: [Record] = []
    records.reserveCapacity(min(limit, collection.count, 1024))
    collection.forEachNewestFirst(days: days, after: after) { record in
      records.append(copy record)
      return records.count < limit
    }
    return records
  }

  /// The same without making an array: calls `body` for each record until it returns false.
  package func forEachRecord(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil,
    _ body: (borrowing Record) -> Bool
  ) {
    collections[collection]?.forEachNewestFirst(days: days, after: after, body)
  }

  /// Puts a record and returns the one it replaces.
  mutating func put(_ record: Record, in collection: CollectionName) -> Record? {
    collections[collection, default: RecordCollection()].put(record)
  }

  /// Removes a record and returns it.
  mutating func remove(_ id: EntityID, from collection: CollectionName) -> Record? {
    collections[collection]?.remove(id)
  }
}
