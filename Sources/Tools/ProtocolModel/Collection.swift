/// How entities of a type are kept: as the records of one collection.
package struct Collection: Sendable {
  /// The name of the collection, which is also that of its group of events and the first part of its methods.
  package var name: String
  /// What one entity is called in messages, and several.
  package var noun: String
  package var plural: String
  /// The members of results that hold one, or several.
  package var member: String
  package var members: String
  /// Whether each entity belongs to a civil day.
  package var isDated: Bool
  /// The id of the only record, where there is only one.
  package var singleID: String?
  /// The notification that tells of changes.
  package var event: String?
  /// Whether what may fire as a reminder depends on it.
  package var movesReminders: Bool
  /// How two devices' versions of one record become one: `whole` (the later one), `byMember`, or `never` (it is not exchanged).
  package var merge: String
  /// Its place among what is waiting to be exchanged, from 1: what is lower goes first.
  package var syncPriority: Int

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object([
      "name", "noun", "plural", "member", "members", "dated", "single", "event", "reminders", "merge", "syncPriority",
    ])
    name = try node.string("name")
    noun = try node.string("noun")
    member = try node.string("member")
    plural = try node.string("plural")
    members = try node.optionalString("members") ?? plural
    isDated = try node.bool("dated")
    singleID = try node.optionalString("single")
    event = try node.optionalString("event")
    movesReminders = try node.bool("reminders")
    merge = try node.optionalString("merge") ?? "whole"
    syncPriority = try node.optionalInt("syncPriority") ?? Collection.usualSyncPriority
    guard ["whole", "byMember", "never"].contains(merge) else { throw node.fail("there is no such way to merge") }
    guard (1...Collection.usualSyncPriority).contains(syncPriority) else { throw node.fail("no such priority") }
  }

  /// Behind everything that has a priority of its own.
  package static let usualSyncPriority = 9
}
