import JSON

/// What the declarations of collections say of merging.
extension Specification {
  /// Throws at the first list, key, default or local member that does not exist, or cannot be one.
  func checkMerging() throws(SpecificationError) {
    for type in domains.flatMap(\.types) {
      try checkLocalMembers(type)
      guard let collection = type.collection else { continue }
      switch collection.merging {
      case .byPart(let lists):
        guard !lists.isEmpty else { throw SpecificationError(collection.place + "/parts", "there is no list") }
        for (name, key) in lists { try check(list: name, key, of: type, at: collection.place + "/parts") }
      case .byMember(let defaults, let groups):
        guard !defaults.isEmpty else {
          throw SpecificationError(collection.place, "“byMember” needs the “defaults” of a new record")
        }
        for (name, value) in defaults { try check(default: name, value, of: type, at: collection.place + "/defaults") }
        try check(groups, of: type)
        // A record that arrives brings none for them.
        for member in type.members where member.isLocal && !defaults.contains(where: { $0.name == member.name }) {
          throw SpecificationError(collection.place + "/defaults", "“\(member.name)” stays on its device and has none")
        }
      case .whole, .mirrored, .never: break
      }
    }
  }

  /// The members that identify a record and say when it was stored.
  private static let identity: Set<String> = ["id", "createdAt", "updatedAt"]

  private func checkLocalMembers(_ type: TypeDefinition) throws(SpecificationError) {
    for member in type.members where member.isLocal {
      guard type.collection?.travels == true, !Specification.identity.contains(member.name) else {
        throw SpecificationError(
          member.place + "/local", "only the content of a synced record can stay on its device")
      }
    }
  }

  private func check(
    list name: String, _ key: String, of type: TypeDefinition, at parts: String
  ) throws(SpecificationError) {
    let place = parts + JSONPointer.token(name)
    let member = try self.member(name, of: type, at: place)
    guard case .array(.named(let element)) = member.type, let part = self.type(named: element), !part.members.isEmpty
    else { throw SpecificationError(place, "“\(name)” is not a list of structs") }
    let texts: [TypeExpression] = [.scalar(.id), .scalar(.date), .scalar(.string)]
    guard texts.contains(try self.member(key, of: part, at: place).type) else {
      throw SpecificationError(place, "“\(key)” is not an id, a date or a string")
    }
  }

  private func check(_ groups: [Collection.Group], of type: TypeDefinition) throws(SpecificationError) {
    var known: Set<String> = []
    for group in groups {
      guard group.names.count > 1 else { throw SpecificationError(group.place, "a group has two members or more") }
      for name in group.names {
        _ = try member(name, of: type, at: group.place)
        guard known.insert(name).inserted, !Specification.identity.contains(name) else {
          throw SpecificationError(group.place, "“\(name)” is in another group, or is not merged")
        }
      }
      if let (member, _) = group.derivation, !group.names.contains(member) {
        throw SpecificationError(group.place, "“\(member)” is not of the group")
      }
    }
  }

  private func check(
    default name: String, _ value: JSONValue, of type: TypeDefinition, at defaults: String
  ) throws(SpecificationError) {
    let place = defaults + JSONPointer.token(name)
    let member = try self.member(name, of: type, at: place, canBeLocal: true)
    guard !Specification.identity.contains(name) else {
      throw SpecificationError(place, "“\(name)” says when a record was stored, and is not merged")
    }
    guard value != .null || member.isNullable else { throw SpecificationError(place, "“\(name)” is never null") }
  }

  /// A member that is there and, unless it can be local, travels.
  private func member(
    _ name: String, of type: TypeDefinition, at place: String, canBeLocal: Bool = false
  ) throws(SpecificationError) -> Member {
    guard let member = type.members.first(where: { $0.name == name }) else {
      throw SpecificationError(place, "“\(type.name)” has no member “\(name)”")
    }
    guard canBeLocal || !member.isLocal else {
      throw SpecificationError(place, "“\(name)” stays on its device, and is not merged")
    }
    return member
  }
}
