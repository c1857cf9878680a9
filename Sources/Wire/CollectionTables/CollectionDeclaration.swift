/// A collection as declared by the protocol.
package struct CollectionDeclaration: Sendable {
  /// The event domain that covers it. It has the collection's name.
  package let domain: EventDomain
  /// The notification that reports its changes.
  package let event: StaticString?
  /// What that says besides revision and origin.
  package let content: EventContent
  /// Whether it has only one record.
  package let isSingle: Bool
  /// Whether reminders depend on it.
  package let affectsReminders: Bool
  /// The day measures that are computed from it.
  package let measures: [DayMeasureName]

  package init(
    _ domain: EventDomain, event: StaticString?, _ content: EventContent, isSingle: Bool, affectsReminders: Bool,
    measures: [DayMeasureName]
  ) {
    self.domain = domain
    self.event = event
    self.content = content
    self.isSingle = isSingle
    self.affectsReminders = affectsReminders
    self.measures = measures
  }

  /// Its name in the store.
  package var name: String { domain.rawValue }
}

/// What the event of a collection says besides revision and origin.
package enum EventContent: Sendable {
  /// The changed entities.
  case changes
  /// What happened to the only record.
  case kind
  /// The names of the members of the only record that changed.
  case members
  /// What only the code that changes the record knows; it sends the event itself.
  case other
}

/// How the versions of a record from several devices become one.
package enum MergeDeclaration: Sendable {
  /// The later version, as a whole.
  case whole
  /// Each member, or group of members, by itself. `defaults` is a JSON object: the members of a new record, without local
  /// ones and those that are absent then.
  case byMember(defaults: StaticString, groups: [MemberGroup])
  /// The elements of some lists by themselves, and all other members as one block.
  case byPart([PartList])
  /// Not at all: other devices show the record, apart from their own.
  case mirrored
  /// Not at all: it stays on its device.
  case never
}

/// Members of an entity that are one value, such as a number and its unit, and are merged as one.
package struct MemberGroup: Sendable, Equatable {
  /// Two names or more. The first one also names the group.
  package let names: [String]
  /// The member of the group that says, with its value, that the others follow from the rest of the record; nil if they
  /// never do. A change of what follows is nobody's choice, so it gives way to one.
  package let derivation: Derivation?

  package struct Derivation: Sendable, Equatable {
    package let member: String
    package let value: String
  }

  package init(_ names: [String], derivedWhen member: String? = nil, is value: String = "") {
    self.names = names
    derivation = member.map { Derivation(member: $0, value: value) }
  }
}

/// A member of an entity that is a list of parts, which are merged by themselves.
package struct PartList: Sendable, Equatable {
  /// The member's name, such as `exercises`.
  package let name: String
  /// The member that identifies a part within the list, such as `id`.
  package let key: String
  /// Whether the member is absent when the list is empty.
  package let isOptional: Bool
  /// Whether the parts are ordered by their keys, and not by the user.
  package let isSortedByKey: Bool

  package init(_ name: String, key: String, isOptional: Bool = false, isSortedByKey: Bool = false) {
    self.name = name
    self.key = key
    self.isOptional = isOptional
    self.isSortedByKey = isSortedByKey
  }
}

extension Collections {
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let byDomain = Dictionary(uniqueKeysWithValues: all.map { ($0.domain, $0) })
  private static let domains = Dictionary(
    uniqueKeysWithValues: otherEvents.map { ("\($0.event)", $0.group) }
      + all.compactMap { declared in declared.event.map { ("\($0)", declared.domain) } })

  /// The domain of an event; nil for one that every client receives.
  package static func domain(ofEvent method: StaticString) -> EventDomain? { domains["\(method)"] }

  /// The collection whose changes are announced as those of a domain, if it has one.
  package static func declaration(of domain: EventDomain) -> CollectionDeclaration? { byDomain[domain] }

  /// The declaration of the collection with a name; nil for internal collections and those of later versions.
  package static func declaration(named name: String) -> CollectionDeclaration? { byName[name] }
}
