extension Specification {
  /// Throws unless all names are unique, all references resolve, and all error codes lie in a published range.
  func check() throws(SpecificationError) {
    try checkUnique((requests + notifications).map { ($0.method, $0.place) }, "method")
    try checkUnique(allTypes.map { ($0.name, $0.place) }, "type")
    try checkUnique(errors.map { ($0.name, $0.place) }, "error")
    try checkUnique(errors.map { (String($0.code), $0.place) }, "error code")
    try checkOffers()
    try checkProjections()
    try checkPlanned()
    let types = Set(allTypes.map(\.name))
    for type in allTypes {
      for member in type.members {
        try checkReference(member.type, in: types, at: member.place + "/type")
        if let form = member.form { try checkReference(form, in: types, at: member.place + "/form") }
        try checkBounds(member)
      }
    }
    let known = Set(errors.map(\.name))
    let abilities = Set(capabilities.map(\.name))
    for message in requests {
      guard let request = message.request else { continue }
      try checkReference(request.result, in: types, at: message.place + "/result")
      if let item = request.partialItem { try checkReference(item, in: types, at: message.place + "/partialItem") }
      for (index, error) in request.errors.enumerated() where !known.contains(error) {
        throw SpecificationError("\(message.place)/errors/\(index)", "there is no error “\(error)”")
      }
      if let ability = request.requires, !abilities.contains(ability) {
        throw SpecificationError(message.place + "/requires", "there is no capability “\(ability)”")
      }
      if request.feature != nil, !request.errors.contains("premiumRequired") {
        throw SpecificationError(message.place + "/feature", "a gated method lists the error “premiumRequired”")
      }
    }
    let groups = domains.flatMap(\.types).first(where: \.listsCollections)?.kind
    for message in notifications {
      guard let group = message.group, case .enumeration(let values)? = groups else { continue }
      guard !values.contains(where: { $0.name == group }) else { continue }
      throw SpecificationError(message.place + "/group", "there is no group “\(group)”")
    }
    for error in errors where !errorRanges.contains(where: { $0.range.contains(error.code) }) {
      throw SpecificationError(error.place + "/code", "the code \(error.code) lies in no published range")
    }
  }

  func checkUnique(
    _ names: [(name: String, place: String)], _ what: String
  ) throws(SpecificationError) {
    var seen: Set<String> = []
    for (name, place) in names where !seen.insert(name).inserted {
      throw SpecificationError(place, "the \(what) “\(name)” is there twice")
    }
  }

  private func checkReference(
    _ type: TypeExpression, in types: Set<String>, at place: String
  ) throws(SpecificationError) {
    if let reference = type.reference, !types.contains(reference) {
      throw SpecificationError(place, "there is no type “\(reference)”")
    }
  }

  private func checkBounds(_ member: Member) throws(SpecificationError) {
    let place = member.place
    let isNumeric = [.scalar(.int), .scalar(.duration), .scalar(.decimal)].contains(member.type)
    if member.minimum != nil || member.maximum != nil, !isNumeric {
      throw SpecificationError(place, "minimum and maximum belong to int, duration and decimal")
    }
    if let minimum = member.minimum, let maximum = member.maximum, minimum > maximum {
      throw SpecificationError(place, "minimum is above maximum")
    }
    let hasLength = member.minimumLength != nil || member.maximumLength != nil || member.isTrimmed
    if hasLength, member.type != .scalar(.string) {
      throw SpecificationError(place, "minLength, maxLength and trim belong to string")
    }
    if member.scale != nil, member.type != .scalar(.decimal) {
      throw SpecificationError(place, "scale belongs to decimal")
    }
  }
}
