import CivilTime
import Values

/// Looks up one record after the other in a snapshot. Those of one month in a row are found by a look into one segment each, where
/// otherwise the ids of all months are searched.
package struct RecordReader {
  private let snapshot: Snapshot
  /// The month in which the latest was found, by collection.
  private var months: [CollectionName: MonthKey] = [:]

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The record with that id; `day` is where it may be, if that is known.
  package mutating func record(_ id: EntityID, in collection: CollectionName, on day: CivilDay? = nil) -> Record? {
    let month = day.map { MonthKey($0) } ?? months[collection]
    let record = snapshot.record(id, in: collection, expectedIn: month)
    if let record { months[collection] = MonthKey(record.day) }
    return record
  }
}
