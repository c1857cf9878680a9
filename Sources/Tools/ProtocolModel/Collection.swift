/// A collection declaration: how entities of a type are stored.
package struct Collection: Sendable {
  /// The collection's name, also the name of its event group and the first part of its methods.
  package var name: String
  /// The words for one entity and for several in messages.
  package var noun: String
  package var plural: String
  /// The result members that hold one entity, or several.
  package var member: String
  package var members: String
  /// Whether each entity belongs to a civil day.
  package var isDated: Bool
  /// The id of the single record, in a collection with only one.
  package var singleID: String?
  /// The notification for changes.
  package var event: String?
  /// Whether reminders depend on it.
  package var affectsReminders: Bool
  /// How conflicting versions of a record are merged: `whole` (the later wins), `byMember`, or `never` (not
  /// synchronised).
  package var merge: String
  /// The synchronisation priority, from 1; lower goes first.
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
    affectsReminders = try node.bool("reminders")
    merge = try node.optionalString("merge") ?? "whole"
    syncPriority = try node.optionalInt("syncPriority") ?? Collection.usualSyncPriority
    guard ["whole", "byMember", "never"].contains(merge) else { throw node.fail("unknown merge policy") }
    guard (1...Collection.usualSyncPriority).contains(syncPriority) else { throw node.fail("invalid priority") }
  }

  /// The default priority, after all explicit ones.
  package static let usualSyncPriority = 9
}
