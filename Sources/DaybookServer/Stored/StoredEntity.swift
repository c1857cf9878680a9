import DaybookProtocol
import FileStore
import JSON

/// An entity that is stored as the body of a collection's records.
protocol StoredEntity: JSONDecodable, JSONEncodable {
  static var collection: CollectionName { get }
  /// The names of its members; others are a later version's and are kept.
  static var memberNames: [String] { get }
}

extension Meal: StoredEntity {
  static var collection: CollectionName { SessionConstants.meals }
}

extension Settings: StoredEntity {
  static var collection: CollectionName { SessionConstants.settings }
}

extension RecordMigrations {
  /// The steps that Daybook's stored forms have taken. Each has a golden file; none is ever changed or removed.
  package static let daybook = RecordMigrations([:])
}
