import JSON

/// A collection declaration: how entities of a type are stored.
package struct Collection: Sendable {
  /// How the versions of a record from several devices are merged.
  package enum Merging: Sendable {
    /// The later version, as a whole.
    case whole
    /// Each member or group of members by itself; the values of a new record.
    case byMember(defaults: [(name: String, value: JSONValue)], groups: [Group])
    /// The elements of some lists by themselves: the members that hold them, each with the member that is their key.
    case byPart(lists: [(name: String, key: String)])
    /// Other devices only show it.
    case mirrored
    /// It stays on its device.
    case never
  }

  /// Members that are merged as one.
  package struct Group: Sendable {
    package var names: [String]
    /// The member, with its value, by which the others follow from the rest of the record.
    package var derivation: (member: String, value: String)?
    var place: String

    init(_ node: SourceNode) throws(SpecificationError) {
      _ = try node.object(["members", "derivedWhen"])
      place = node.place
      names = []
      for name in try node.elements("members") { names.append(try name.string()) }
      guard let node = node.child("derivedWhen") else { return }
      let members = try node.members()
      guard members.count == 1 else { throw node.fail("one member with its value is expected") }
      derivation = (members[0].name, try members[0].value.string())
    }
  }

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
  package var merging: Merging
  /// The synchronisation priority, from 1; lower goes first.
  package var syncPriority: Int
  /// The file and the JSON Pointer of the declaration.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object([
      "name", "noun", "plural", "member", "members", "dated", "single", "event", "reminders", "merge", "parts",
      "defaults", "groups", "syncPriority",
    ])
    place = node.place
    name = try node.string("name")
    noun = try node.string("noun")
    member = try node.string("member")
    plural = try node.string("plural")
    members = try node.optionalString("members") ?? plural
    isDated = try node.bool("dated")
    singleID = try node.optionalString("single")
    event = try node.optionalString("event")
    affectsReminders = try node.bool("reminders")
    merging = try Collection.merging(node)
    syncPriority = try node.optionalInt("syncPriority") ?? Collection.usualSyncPriority
    guard (1...Collection.usualSyncPriority).contains(syncPriority) else { throw node.fail("invalid priority") }
  }

  /// The default priority, after all explicit ones.
  package static let usualSyncPriority = 9

  /// Whether its records leave their device.
  package var travels: Bool { if case .never = merging { false } else { true } }

  private static func merging(_ node: SourceNode) throws(SpecificationError) -> Merging {
    let policy = try node.optionalString("merge") ?? "whole"
    guard ["whole", "byMember", "byPart", "mirrored", "never"].contains(policy) else {
      throw node.fail("unknown merge policy")
    }
    for (member, owner) in [("parts", "byPart"), ("defaults", "byMember"), ("groups", "byMember")] where policy != owner
    {
      if let child = node.child(member) { throw child.fail("“\(member)” belongs to “\(owner)”") }
    }
    switch policy {
    case "byMember":
      var groups: [Group] = []
      for group in try node.child("groups")?.elements() ?? [] { groups.append(try Group(group)) }
      return .byMember(defaults: try node.child("defaults")?.members().map { ($0, $1.value) } ?? [], groups: groups)
    case "byPart":
      var lists: [(name: String, key: String)] = []
      for (name, key) in try node.required("parts").members() { lists.append((name, try key.string())) }
      return .byPart(lists: lists)
    case "mirrored": return .mirrored
    case "never": return .never
    default: return .whole
    }
  }
}
