import CivilTime
import Values

/// Looks up records one after the other in a snapshot. Successive records of one month are found in one segment each,
/// without searching the ids of all months.
package struct RecordReader {
  private let snapshot: Snapshot
  /// The month of the last record found, by collection.
  private var months: [CollectionName: MonthKey] = [:]

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The record with that id; `day` is its probable day, if known.
  package mutating func record(_ id: EntityID, in collection: CollectionName, on day: CivilDay? = nil) -> Record? {
    let month = day.map { MonthKey($0) } ?? months[collection]
    let record = snapshot.record(id, in: collection, expectedIn: month)
    if let record { months[collection] = MonthKey(record.day) }
    return record
  }
}
