import CivilTime
import Values

/// The name of a collection of records, such as `meals`.
package struct CollectionName: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The same, shorter.
  package init(_ rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }
}

/// One change of one record.
package enum Operation: Sendable, Equatable {
  /// The record is as given from now on, whether or not it existed. `body` is the text of one JSON object, in one line.
  case put(
    CollectionName, id: EntityID, day: CivilDay?, schema: Int, createdAt: Instant, updatedAt: Instant, body: [UInt8])
  /// The record is gone from now on; of one that does not exist, nothing changes.
  case delete(CollectionName, id: EntityID)
}

/// Changes that happen together or not at all.
package struct Transaction: Sendable, Equatable {
  /// Its own identity: the same one given twice is stored once.
  package var id: EntityID
  package var at: Instant
  /// Who asked for it; undo is per author.
  package var author: String
  /// What for, such as the method's name.
  package var label: String
  /// The revision of the transaction that this one takes back.
  package var undoes: Int?
  package var operations: [Operation]

  package init(
    id: EntityID, at: Instant, author: String, label: String, undoes: Int? = nil, operations: [Operation]
  ) {
    self.id = id
    self.at = at
    self.author = author
    self.label = label
    self.undoes = undoes
    self.operations = operations
  }
}
