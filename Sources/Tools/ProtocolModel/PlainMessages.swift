import JSON

/// Expands the plain requests and events of collections: a message marked `plain` takes every member that it does not
/// define from its collection. `Protocol/README.md` has the rule.
struct PlainMessages {
  private var entities: [String: SourceNode] = [:]

  /// - Parameter types: The types of the domain.
  init(types: [SourceNode]) throws(SpecificationError) {
    for type in types {
      if let collection = type.child("collection") { entities[try collection.string("name")] = type }
    }
  }

  // MARK: requests

  /// The expanded request.
  func request(_ node: SourceNode) throws(SpecificationError) -> SourceNode {
    guard node.child("plain") != nil, case .object(var given) = node.value else { return node }
    let parts = try node.string("method").split(separator: "/").map(String.init)
    guard parts.count == 2, let entity = entities[parts[0]], let verb = PlainVerb(rawValue: parts[1]) else {
      throw node.fail("a plain request is add, update, delete, get or list of a collection of this domain")
    }
    let words = try PlainWords(entity)
    let extra = try node.child("params")?.elements().map(\.value) ?? []
    given["params"] = .array(try params(verb, words, entity, extra))
    fill(&given, "direction", .string("clientToServer"))
    fill(&given, "effect", .string(verb.isRead ? "read" : "write"))
    fill(&given, "scope", .array([.string(parts[0])]))
    fill(&given, "doc", .string(words.doc(of: verb)))
    fill(&given, "result", .object(JSONObject([("members", .array(words.result(of: verb)))])))
    fill(&given, "errors", .array(verb.errors.map { .string($0) }))
    return SourceNode(value: .object(given), place: node.place)
  }

  /// The operation of a plain request; nil for other requests.
  func verb(_ node: SourceNode) throws(SpecificationError) -> PlainVerb? {
    guard node.child("plain") != nil else { return nil }
    return try node.string("method").split(separator: "/").last.flatMap { PlainVerb(rawValue: String($0)) }
  }

  /// Whether generated code answers a plain request: it does not redefine its result or the params of a list, and is
  /// not marked `byHand`.
  func isGenerated(_ node: SourceNode) throws(SpecificationError) -> Bool {
    guard node.child("plain")?.value == .bool(true), node.child("result") == nil else { return false }
    return try verb(node) != .list || node.child("params") == nil
  }

  private func fill(_ object: inout JSONObject, _ name: String, _ value: JSONValue) {
    if object[name] == nil { object[name] = value }
  }

  private func params(
    _ verb: PlainVerb, _ words: PlainWords, _ entity: SourceNode, _ extra: [JSONValue]
  ) throws(SpecificationError) -> [JSONValue] {
    let own = words.params(of: verb)
    switch verb {
    case .add: return own + (extra.isEmpty ? try content(entity) : extra)
    case .update: return own + (extra.isEmpty ? try patch(entity) : extra)
    case .delete, .get, .list: return own + extra
    }
  }

  /// The members that clients set: all except the common ones and those that the service computes.
  private func content(_ entity: SourceNode) throws(SpecificationError) -> [JSONValue] {
    var members: [JSONValue] = []
    for member in try entity.elements("members") {
      guard !PlainWords.own.contains(try member.string("name")), try !member.bool("made") else { continue }
      members.append(member.value)
    }
    return members
  }

  /// The same for updates: every member is optional, and null clears optional ones.
  private func patch(_ entity: SourceNode) throws(SpecificationError) -> [JSONValue] {
    try content(entity).map { member in
      guard case .object(var member) = member else { return member }
      if member["optional"] == .bool(true) { member["nullable"] = .bool(true) }
      member["optional"] = .bool(true)
      return .object(member)
    }
  }

  // MARK: events

  /// The expanded notification.
  func notification(_ node: SourceNode) throws(SpecificationError) -> SourceNode {
    guard node.child("plain") != nil, case .object(var given) = node.value else { return node }
    let method = try node.string("method")
    var owner: SourceNode?
    for entity in entities.values where try entity.child("collection")?.optionalString("event") == method {
      owner = entity
    }
    guard let owner else { throw node.fail("“\(method)” is the event of no collection of this domain") }
    fill(&given, "direction", .string("serverToClient"))
    fill(&given, "delivery", .string("state"))
    fill(&given, "doc", .string("\(try PlainWords(owner).capitalized) changed."))
    given["params"] = .array([
      PlainWords.member("revision", "int", "The store's revision.", ("minimum", PlainWords.number(1))),
      PlainWords.member("origin", "Origin", "Who changed them."),
      PlainWords.member("changes", "array<EntityChange>", "The changed entities, each once."),
    ])
    return SourceNode(value: .object(given), place: node.place)
  }
}
