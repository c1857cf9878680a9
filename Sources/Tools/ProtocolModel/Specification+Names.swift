/// Naming rules that follow from types: ids, booleans and durations.
extension Specification {
  /// Throws at the first member that breaks a naming rule.
  func checkNames() throws(SpecificationError) {
    let collections = Set(allTypes.compactMap { $0.collection?.name })
    for domain in domains {
      // Stored lenient types keep the names of older versions, because old files are read with them.
      for type in domain.types where !(type.isStored && type.isLenient) { try checkNames(type, hasOwnID: true) }
      for message in domain.requests {
        let noun = String(message.method.prefix { $0 != "/" })
        try checkNames(message.params, hasOwnID: collections.contains(noun), hasOwnIDs: collections.contains(noun))
        if let result = message.request?.resultType { try checkNames(result, hasOwnID: true) }
      }
      for message in domain.notifications { try checkNames(message.params, hasOwnID: true) }
    }
  }

  private func checkNames(
    _ type: TypeDefinition, hasOwnID: Bool, hasOwnIDs: Bool = false
  ) throws(SpecificationError) {
    for member in type.members {
      let name = member.name
      switch member.type {
      case .scalar(.duration) where !name.hasSuffix("Ms"):
        throw SpecificationError(member.place, "“\(name)” is a duration, whose name ends in “Ms”: “\(name)Ms”")
      case .scalar(.bool) where name.hasPrefix("is") && name.dropFirst(2).first?.isUppercase == true:
        throw SpecificationError(member.place, "“\(name)” is a bool, whose name does not begin with “is”")
      case .scalar(.id) where !name.hasSuffix("Id") && !(name == "id" && hasOwnID):
        throw SpecificationError(member.place, "“\(name)” is the id of something else, whose name ends in “Id”")
      case .array(.scalar(.id)) where !name.hasSuffix("Ids") && !(name == "ids" && hasOwnIDs):
        throw SpecificationError(member.place, "“\(name)” are the ids of something else, whose name ends in “Ids”")
      default: break
      }
    }
  }
}
