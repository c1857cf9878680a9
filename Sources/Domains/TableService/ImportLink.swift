import DomainKit

/// Links a table row to the equal entity that was logged by hand, so that importing the row again after an edit adds nothing.
package struct ImportLink: Sendable, Equatable {
  /// The id that the row would have had.
  package let id: EntityID
  /// The collection of the target.
  var collection: String
  var target: EntityID
  package let createdAt: Instant
  package var updatedAt: Instant
}

extension ImportLink: CollectionEntity {
  /// An internal collection, invisible to clients.
  package static var collection: CollectionName { CollectionName("table-links") }
  package static var noun: String { "link" }
  package var recordDay: CivilDay? { nil }
  package static var memberNames: [String] { ["id", "collection", "target", "createdAt", "updatedAt"] }

  package init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var (id, target) = (EntityID?.none, EntityID?.none)
    var collection: String?
    var (createdAt, updatedAt) = (Instant?.none, Instant?.none)
    while try reader.nextMember(&object) {
      if try reader.member("id", 0, &object) {
        id = try EntityID(from: &reader)
      } else if try reader.member("collection", 1, &object) {
        collection = try reader.string()
      } else if try reader.member("target", 2, &object) {
        target = try EntityID(from: &reader)
      } else if try reader.member("createdAt", 3, &object) {
        createdAt = try Instant(from: &reader)
      } else if try reader.member("updatedAt", 4, &object) {
        updatedAt = try Instant(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    guard let id else { throw reader.missing("id", object) }
    guard let collection else { throw reader.missing("collection", object) }
    guard let target else { throw reader.missing("target", object) }
    guard let createdAt else { throw reader.missing("createdAt", object) }
    guard let updatedAt else { throw reader.missing("updatedAt", object) }
    self.init(id: id, collection: collection, target: target, createdAt: createdAt, updatedAt: updatedAt)
  }

  package func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("id")
    id.encode(to: &writer)
    writer.name("collection")
    writer.write(collection)
    writer.name("target")
    target.encode(to: &writer)
    writer.name("createdAt")
    createdAt.encode(to: &writer)
    writer.name("updatedAt")
    updatedAt.encode(to: &writer)
    writer.endObject()
  }
}
