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

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object(["name", "noun", "plural", "member", "members", "dated", "single", "event", "reminders"])
    name = try node.string("name")
    noun = try node.string("noun")
    member = try node.string("member")
    plural = try node.string("plural")
    members = try node.optionalString("members") ?? plural
    isDated = try node.bool("dated")
    singleID = try node.optionalString("single")
    event = try node.optionalString("event")
    movesReminders = try node.bool("reminders")
  }
}
