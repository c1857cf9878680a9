import DomainKit
import TableService

enum SessionConstants {
  /// The service's own collections, whose records no client sees.
  static let ownCollections = Set(Services.types.flatMap { $0.internalEntities.map { $0.collection } }).union([
    ImportLink.collection
  ])
  /// The member of a body that repeats when the record last changed.
  static let updateStamp = "updatedAt"
  /// The default number of items on a page.
  static let pageSize = 1000
  /// The maximum length of an author's name in Unicode scalars: it is part of every journal line.
  static let maximumAuthorLength = 200
  /// How long a write waits for the folder's lock by default, in milliseconds.
  static let lockTimeout = 5000
}
