import CivilTime
import DomainKit
import FileStore
import TableService
import Values

/// Names and numbers the session is built on.
enum SessionConstants {
  /// Collections that the service has for itself: clients are told of none of their records.
  static let ownCollections = Set(Services.types.flatMap { $0.ownEntities.map { $0.collection } }).union([
    ImportLink.collection
  ])
  /// The member of a body that repeats when the record last changed.
  static let updateStamp = "updatedAt"
  /// How many items a page has when nobody says.
  static let pageSize = 1000
  /// So many Unicode scalars of a client's name are kept: it goes into every journal line.
  static let longestAuthor = 200
  /// How long a write waits for the folder's lock when its caller does not say, in milliseconds.
  static let lockTimeout = 5000
}
