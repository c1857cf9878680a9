import JSON

/// A domain: a group of types, messages and errors.
package struct Domain: Sendable {
  package var name: String
  package var title: String
  package var doc: String
  /// The only build that has it, if not all.
  package var build: String?
  /// The service that answers its requests; nil for a room or the session.
  package var service: String?
  /// The room of the server that answers its requests; nil for a service or the session.
  package var room: String?
  package var types: [TypeDefinition]
  package var requests: [Message]
  package var notifications: [Message]
  package var errors: [ErrorDefinition]
  /// The day measures that it offers to other domains.
  package var measures: [DayMeasureDefinition] = []
  /// Its agenda section, if any.
  package var agenda: AgendaDefinition?
  /// What it does with its records for other domains.
  package var recordOffers: [RecordOfferDefinition] = []
  /// The kinds of entries that it reads.
  package var entries: [EntryKindDefinition] = []
  /// What its service derives from records and keeps up to date.
  package var projections: [ProjectionDefinition] = []

  package var isDebugOnly: Bool { build == "debug" }
}

/// An error of the catalogue.
package struct ErrorDefinition: Sendable {
  package var name: String
  package var code: Int
  /// `never`, `afterFix` or `later`.
  package var retry: String
  package var when: String
  /// The file and the JSON Pointer of its definition.
  package var place: String
}

/// The whole protocol, read from `Protocol/`.
package struct Specification: Sendable {
  package struct ErrorRange: Sendable {
    package var range: ClosedRange<Int>
    package var doc: String
  }

  package struct Capability: Sendable {
    package var name: String
    package var side: String
    package var doc: String
  }

  package var name: String
  package var title: String
  package var doc: String
  package var protocolVersion: Int
  package var errorRanges: [ErrorRange]
  package var capabilities: [Capability]
  /// The product catalogue embedded in the service, from `products.json`.
  package var products: JSONValue?
  /// In the order of `protocol.json`.
  package var domains: [Domain]

  package var requests: [Message] { domains.flatMap(\.requests) }
  package var notifications: [Message] { domains.flatMap(\.notifications) }
  package var errors: [ErrorDefinition] { domains.flatMap(\.errors) }

  /// All types of a domain: those defined, then the params and results of its messages.
  package func allTypes(of domain: Domain) -> [TypeDefinition] {
    var types = domain.types
    for message in domain.requests + domain.notifications {
      if !message.params.members.isEmpty || message.params.isLenient { types.append(message.params) }
      if let result = message.request?.resultType { types.append(result) }
    }
    return types
  }

  package var allTypes: [TypeDefinition] { domains.flatMap { allTypes(of: $0) } }

  package func type(named name: String) -> TypeDefinition? { allTypes.first { $0.name == name } }

  /// Reads the protocol; `files` maps paths below `Protocol/` to their bytes. `isOld` accepts names
  /// and references of earlier versions that are no longer allowed.
  package init(files: [String: [UInt8]], isOld: Bool = false) throws(SpecificationError) {
    let root = try Specification.read("protocol.json", files)
    _ = try root.object(["name", "title", "doc", "protocolVersion", "domains", "errorRanges", "capabilities"])
    name = try root.string("name")
    title = try root.string("title")
    doc = try root.string("doc")
    protocolVersion = try root.required("protocolVersion").int()
    errorRanges = []
    for node in try root.elements("errorRanges") {
      let (from, to) = (try node.required("from").int(), try node.required("to").int())
      guard from <= to else { throw node.fail("from is above to") }
      errorRanges.append(ErrorRange(range: from...to, doc: try node.string("doc")))
    }
    capabilities = []
    for node in try root.elements("capabilities") {
      capabilities.append(
        Capability(name: try node.string("name"), side: try node.string("side"), doc: try node.string("doc")))
    }
    domains = []
    for name in try root.strings("domains") {
      domains.append(try Specification.domain(Specification.read("domains/\(name).json", files)))
    }
    listDerivedValues()
    listDerivedScopes()
    if files["products.json"] != nil {
      let node = try Specification.read("products.json", files)
      _ = try node.object(["products"])
      _ = try node.elements("products")
      products = node.value
    }
    try check()
    if !isOld {
      try checkNames()
      try checkBorders()
      try checkMeasures()
      try checkMerging()
    }
  }

  /// Adds the values derived from collections, day measures and entry kinds to the enumerations that list them, and
  /// removes those of domains that are left out.
  private mutating func listDerivedValues() {
    let collections = domains.flatMap(\.types).compactMap(\.collection).map { collection in
      TypeDefinition.EnumerationValue(
        name: collection.name, doc: "\(collection.plural.prefix(1).uppercased())\(collection.plural.dropFirst()).")
    }
    let services = Set(domains.compactMap(\.service))
    let measures = domains.flatMap(\.measures).map { TypeDefinition.EnumerationValue(name: $0.name, doc: $0.doc) }
    let kinds = domains.flatMap(\.entries).map { TypeDefinition.EnumerationValue(name: $0.name, doc: $0.doc) }
    for domain in domains.indices {
      for type in domains[domain].types.indices {
        let wanted = domains[domain].types[type]
        guard case .enumeration(let own) = wanted.kind else { continue }
        let derived =
          (wanted.listsCollections ? collections : []) + (wanted.listsMeasures ? measures : [])
          + (wanted.listsEntries ? kinds : [])
        let present = own.filter { $0.service.map(services.contains) ?? true }
        domains[domain].types[type].kind = .enumeration(derived + present)
      }
    }
  }

  /// Replaces `$reminders` and `$agenda` in scopes by the collections that reminders and agenda sections are made from.
  private mutating func listDerivedScopes() {
    let collections = domains.flatMap(\.types).compactMap(\.collection)
    let shown = domains.compactMap(\.agenda).flatMap(\.events)
    let derived = [
      "$reminders": collections.filter(\.affectsReminders).map(\.name),
      "$agenda": collections.filter { $0.event.map(shown.contains) ?? false }.map(\.name),
    ]
    for domain in domains.indices {
      for request in domains[domain].requests.indices {
        let scope = domains[domain].requests[request].request?.scope ?? []
        guard scope.contains(where: { $0.hasPrefix("$") }) else { continue }
        domains[domain].requests[request].request?.scope = scope.flatMap { derived[$0] ?? [$0] }.reduce(into: []) {
          if !$0.contains($1) { $0.append($1) }
        }
      }
    }
  }

  private static func read(_ path: String, _ files: [String: [UInt8]]) throws(SpecificationError) -> SourceNode {
    guard let bytes = files[path] else { throw SpecificationError(path, "the file is missing") }
    do throws(JSONError) { return SourceNode(value: try JSONValue(json: bytes), place: "\(path)#") } catch {
      let pointer = bytes.withUnsafeBytes { error.pointer(in: $0) }
      throw SpecificationError("\(path)#\(pointer)", "byte \(error.offset): \(error)")
    }
  }

  private static func domain(_ node: SourceNode) throws(SpecificationError) -> Domain {
    _ = try node.object([
      "domain", "title", "doc", "since", "build", "service", "room", "types", "requests", "notifications", "errors",
      "measures", "agenda", "entries", "offers", "projections",
    ])
    let since = try node.optionalInt("since") ?? 1
    var domain = Domain(
      name: try node.string("domain"), title: try node.string("title"), doc: try node.string("doc"),
      build: try node.optionalString("build"), service: try node.optionalString("service"),
      room: try node.optionalString("room"), types: [], requests: [], notifications: [], errors: [])
    if domain.service != nil, let room = node.child("room") { throw room.fail("the domain has a service") }
    let types = try node.elements("types")
    for type in types { domain.types.append(try TypeDefinition(type)) }
    let plain = try PlainMessages(types: types)
    for request in try node.elements("requests") {
      var message = try Message(request: plain.request(request), since: since)
      message.plainMethod = try plain.verb(request)
      if message.request?.isUndo == false, message.request?.room == nil { message.request?.room = domain.room }
      if domain.service != nil, try plain.isGenerated(request) { message.plainVerb = message.plainMethod }
      domain.requests.append(message)
    }
    for notification in try node.elements("notifications") {
      var message = try Message(notification: plain.notification(notification), since: since)
      message.isPlainEvent = notification.child("plain") != nil
      domain.notifications.append(message)
    }
    for measure in try node.child("measures")?.elements() ?? [] {
      domain.measures.append(try DayMeasureDefinition(measure))
    }
    for offer in try node.child("offers")?.elements() ?? [] {
      domain.recordOffers.append(try RecordOfferDefinition(offer))
    }
    for entry in try node.child("entries")?.elements() ?? [] { domain.entries.append(try EntryKindDefinition(entry)) }
    for projection in try node.child("projections")?.elements() ?? [] {
      domain.projections.append(try ProjectionDefinition(projection))
    }
    if let agenda = node.child("agenda") { domain.agenda = try AgendaDefinition(agenda) }
    for error in try node.elements("errors") {
      _ = try error.object(["name", "code", "retry", "when", "since"])
      domain.errors.append(
        ErrorDefinition(
          name: try error.string("name"), code: try error.required("code").int(), retry: try error.string("retry"),
          when: try error.string("when"), place: error.place))
    }
    return domain
  }
}
