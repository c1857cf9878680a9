import CivilTime
import JSON
import Values

/// A line of a journal: a transaction that got its revision, or the seal under a journal that has a successor.
enum JournalLine: Sendable {
  case transaction(JournalEntry)
  /// The name of the next journal file, and the revision that it begins behind if something that is in no journal comes between.
  case seal(successor: String, revision: Int? = nil)
}

/// A transaction as a journal holds it.
struct JournalEntry: Sendable, Equatable {
  /// Its sequence number, which is the revision that it makes.
  var revision: Int
  var replica: EntityID
  var transaction: Transaction
  /// For each operation, in their order, the version of the record that it replaces; nil where there was none. So a line
  /// tells by itself what it did and how to take it back, without the segments that hold the older versions.
  var before: [Record?]
}
