import ProtocolModel

/// Emits the code for the collections that domain files declare.
struct SwiftCollections {
  let specification: Specification

  var entities: [(type: TypeDefinition, collection: Collection)] {
    specification.domains.flatMap(\.types).compactMap { type in type.collection.map { (type, $0) } }
  }

  // MARK: the entities

  /// Emits the conformances of the entities.
  func emitEntities(into text: inout TextBuilder) {
    for (type, collection) in entities {
      let conformance = collection.singleID == nil ? "CollectionEntity" : "SingleEntity"
      text.block("extension \(type.name): \(conformance) {") { text in
        text.line("package static let collection = CollectionName(\"\(collection.name)\")")
        if let id = collection.singleID {
          let low = id.split(separator: "-").last.flatMap { UInt64($0, radix: 16) } ?? 0
          text.line("package static let singleID = EntityID(high: 0, low: \(low))")
        } else {
          text.line("package static var noun: String { \"\(collection.noun)\" }")
          text.line("package var recordDay: CivilDay? { \(collection.isDated ? "day" : "nil") }")
          emitStamping(type, into: &text)
        }
      }
      text.line()
    }
    for name in Set(entities.flatMap { timedParts($0.type).map(\.type) }).sorted() {
      text.line("extension \(name): TimedPart {}")
      text.line()
    }
  }

  // MARK: the table

  /// Emits the table of all collections.
  func emitTable(into text: inout TextBuilder) {
    text.line("/// The collections of entities that the protocol declares.")
    text.block("package enum Collections {") { text in
      text.line("/// All of them, in the order of the domain files.")
      text.block("package static let all: [CollectionDeclaration] = [", closing: "]") { text in
        for (_, collection) in entities {
          let event = collection.event.map { "\"\($0)\"" } ?? "nil"
          text.line(
            "CollectionDeclaration(.\(collection.name), event: \(event), .\(content(of: collection)), isSingle: \(collection.singleID != nil), affectsReminders: \(collection.affectsReminders), measures: [\(measures(of: collection))]),"
          )
        }
      }
      text.line()
      text.line("/// The events without a collection, with their groups, in the order of the domain files.")
      text.block("package static let otherEvents: [(event: StaticString, group: EventDomain)] = [", closing: "]") {
        text in
        for message in specification.notifications {
          if let group = message.group { text.line("(\"\(message.method)\", .\(group)),") }
        }
      }
    }
  }

  /// The members of an entity that hold parts with ids and times of their own.
  private func timedParts(_ type: TypeDefinition) -> [(member: Member, type: String)] {
    type.members.compactMap { member in
      guard case .array(.named(let name)) = member.type,
        let part = specification.allTypes.first(where: { $0.name == name }),
        part.collection == nil, Set(["id", "updatedAt"]).isSubset(of: part.members.map(\.name))
      else { return nil }
      return (member, name)
    }
  }

  private func emitStamping(_ type: TypeDefinition, into text: inout TextBuilder) {
    let parts = timedParts(type).map { SwiftNames.escaped($0.member.name) + ($0.member.isOptional ? "?" : "") }
    guard !parts.isEmpty else { return }
    text.block("package mutating func stampParts(since old: \(type.name)?, at time: Instant) {") { text in
      for part in parts {
        text.line("\(part).stamp(since: old?.\(part.filter { $0 != "?" }) ?? [], at: time)")
      }
    }
  }

  /// What the event of a collection says besides revision and origin, a case of `EventContent`.
  private func content(of collection: Collection) -> String {
    guard let event = specification.notifications.first(where: { $0.method == collection.event }) else {
      return "other"
    }
    if event.isPlainEvent { return "changes" }
    switch event.params.members.map(\.name) {
    case ["revision", "origin", "kind"]: return "kind"
    case ["revision", "origin", "changed"]: return "members"
    default: return "other"
    }
  }

  /// The day measures whose change the collection's event tells.
  private func measures(of collection: Collection) -> String {
    guard let event = collection.event else { return "" }
    return specification.domains.flatMap(\.measures).filter { $0.events.contains(event) }.map { ".\($0.name)" }
      .joined(separator: ", ")
  }

  // MARK: patches and comparisons

  /// Whether a domain has requests that add or update entities.
  func hasPatches(_ domain: Domain) -> Bool { !patches(domain).isEmpty }

  /// The requests of a domain that add or update an entity: plain ones, and others with such names.
  private func patches(_ domain: Domain) -> [(TypeDefinition, Message, PlainVerb)] {
    domain.requests.compactMap { message in
      let parts = message.method.split(separator: "/").map(String.init)
      let isOther = message.plainMethod == nil && ["add", "update", "amend"].contains(parts.last)
      guard let verb = isOther ? .update : message.plainMethod, verb == .add || verb == .update,
        let type = domain.types.first(where: { $0.collection?.name == parts[0] })
      else { return nil }
      return (type, message, verb)
    }
  }

  /// Emits for each entity how add requests compare with it, and how update requests change it, for members of the same
  /// name and type.
  func emitPatches(_ domain: Domain, into text: inout TextBuilder) {
    for (type, message, verb) in patches(domain) {
      let shared = message.params.members.filter { member in
        member.name != "id" && member.name != "revision"
          && type.members.contains { $0.name == member.name && $0.type == member.type }
      }
      text.block("extension \(type.name) {") { text in
        if verb == .add {
          comparison(message, shared, into: &text)
          making(type, message, shared, into: &text)
        } else {
          patch(message, shared, into: &text)
        }
      }
      text.line()
    }
  }

  /// Emits the creation of an entity from an add request, if the request has all members except the common ones.
  private func making(_ type: TypeDefinition, _ message: Message, _ shared: [Member], into text: inout TextBuilder) {
    let given = ["id": "id", "day": "params.day ?? today", "zone": "zone", "createdAt": "now", "updatedAt": "now"]
    var arguments: [String] = []
    for member in type.members {
      let param = shared.first { $0.name == member.name && ($0.isOptional ? member.isOptional : true) }
      guard let value = given[member.name] ?? param.map({ "params.\(SwiftNames.escaped($0.name))" }) else { return }
      arguments.append("\(member.name): \(value)")
    }
    text.line()
    text.line("/// Creates the entity of an add request; `today` is the default day.")
    text.block(
      "package init(_ params: \(message.params.name), id: EntityID, today: CivilDay, zone: TimeZoneName, now: Instant) {"
    ) { $0.line("self.init(\(arguments.joined(separator: ", ")))") }
  }

  private func comparison(_ message: Message, _ shared: [Member], into text: inout TextBuilder) {
    text.line("/// Whether it equals the members of an add request, as far as it has them.")
    text.block("package func hasMembers(of params: \(message.params.name)) -> Bool {") { text in
      for member in shared {
        let name = SwiftNames.escaped(member.name)
        let given = member.isOptional ? "let given = params.\(name), given != \(name)" : "params.\(name) != \(name)"
        text.line("if \(given) { return false }")
      }
      text.line("return true")
    }
  }

  private func patch(_ message: Message, _ shared: [Member], into text: inout TextBuilder) {
    text.line("/// Applies the members of a request, as far as it has them.")
    text.block("package mutating func patch(_ params: \(message.params.name)) {") { text in
      for member in shared {
        let name = SwiftNames.escaped(member.name)
        if !member.isOptional {
          text.line("\(name) = params.\(name)")
        } else if member.isNullable {
          text.line("\(name) = params.\(name).applied(to: \(name))")
        } else {
          text.line("if let given = params.\(name) { \(name) = given }")
        }
      }
    }
  }
}
