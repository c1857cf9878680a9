import ProtocolModel

/// Emits, for each service of a domain or room of the server, the protocol of its handlers and the dispatch of requests
/// to them.
struct SwiftAnswerers {
  /// Who answers requests, besides the session itself.
  enum Kind {
    case service, room

    /// The end of the type's name.
    fileprivate var suffix: String { self == .service ? "Service" : "Room" }
    /// The protocol of the type.
    fileprivate var base: String { self == .service ? "DomainService" : "Room" }
    /// What its handlers are given.
    fileprivate var argument: String { self == .service ? "context" : "desk" }
    fileprivate var argumentType: String { self == .service ? "Context" : "Desk" }
    fileprivate var access: String { self == .service ? "package " : "" }
  }

  let specification: Specification
  let kind: Kind

  /// Their names, in the order of their first requests.
  var names: [String] {
    var names: [String] = []
    for domain in specification.domains {
      for message in domain.requests {
        if let name = name(of: message, in: domain), !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  /// The name of the one that answers a request; nil when it is of another kind.
  private func name(of message: Message, in domain: Domain) -> String? {
    guard message.direction.isFromClient, let request = message.request, !request.isUndo else { return nil }
    switch kind {
    case .service: return domain.service
    case .room: return request.room
    }
  }

  func requests(of name: String) -> [Message] { specification.domains.flatMap { requests(of: name, in: $0) } }

  private func requests(of name: String, in domain: Domain) -> [Message] {
    domain.requests.filter { self.name(of: $0, in: domain) == name }
  }

  func emit(_ service: String, into text: inout TextBuilder) {
    text.line("/// The requests that the \(service) \(kind) answers with handwritten code.")
    let handlers = kind == .service ? "\(service)Handlers" : "\(service)RoomHandlers"
    text.block("protocol \(handlers): AnyObject {") { text in
      for domain in specification.domains where !requests(of: service, in: domain).isEmpty {
        text.line("// MARK: \(domain.title)\n")
        for message in requests(of: service, in: domain) where message.plainVerb == nil {
          guard let request = message.request else { continue }
          text.doc(message.doc)
          let type = SwiftHandlers.resultType(request)
          let result = request.isKept ? "JSONFragment<\(type)>" : type
          text.line(
            "func \(Names.function(message.method))(_ params: \(SwiftHandlers.paramsType(message)), _ \(kind.argument): inout \(kind.argumentType)) throws(RPCError) -> \(SwiftAnswerers.outcome(of: request, result))"
          )
        }
      }
    }
    text.line()
    text.block("extension \(service)\(kind.suffix): \(kind.base), \(handlers) {") { text in
      dispatch(service, into: &text)
      text.line()
      heavy(service, into: &text)
      guard kind == .service else { return }
      text.line()
      planned(service, into: &text)
    }
  }

  /// What a handler returns, given the type of the result.
  private static func outcome(of request: Message.Request, _ result: String) -> String {
    switch request.kind {
    case .plain: result
    case .heavy: "Deferred<\(result)>"
    case .planned: "Planned<\(result)>"
    }
  }

  private func dispatch(_ service: String, into text: inout TextBuilder) {
    text.line("/// Answers a request: decodes its params, calls its handler, writes the result.")
    text.switchBlock(
      "\(kind.access)func dispatch(\n  _ method: Method, _ reader: inout JSONReader, _ \(kind.argument): inout \(kind.argumentType), _ writer: inout JSONWriter\n) throws(RPCError) {",
      over: "method", default: SwiftHandlers.notFound
    ) { text in
      for message in requests(of: service) where message.request?.kind == .plain {
        text.line("case .\(Names.function(message.method)):")
        SwiftHandlers.decode(message, into: &text)
        if let verb = message.plainVerb, let plain = plain(message) {
          for line in plain.lines(verb) { text.line("  " + line) }
        } else {
          text.line("  try \(Names.function(message.method))(params, &\(kind.argument)).encode(to: &writer)")
        }
      }
    }
  }

  private func heavy(_ service: String, into text: inout TextBuilder) {
    text.line("/// The work that answers a heavy request.")
    text.switchBlock(
      "\(kind.access)func heavy(\n  _ method: Method, _ reader: inout JSONReader, _ \(kind.argument): inout \(kind.argumentType)\n) throws(RPCError) -> Deferred<JSONFragment<JSONValue>> {",
      over: "method", default: SwiftHandlers.heavyNotFound
    ) { text in
      for message in requests(of: service) where message.request?.kind == .heavy {
        text.line("case .\(Names.function(message.method)):")
        SwiftHandlers.decode(message, into: &text)
        text.line("  return try \(Names.function(message.method))(params, &\(kind.argument)).encoded")
      }
    }
  }

  private func planned(_ service: String, into text: inout TextBuilder) {
    text.line("/// Answers a request like `dispatch`, or returns a large change to be planned outside the session.")
    text.switchBlock(
      "package func planned(\n  _ method: Method, _ reader: inout JSONReader, _ context: inout Context, _ writer: inout JSONWriter\n) throws(RPCError) -> PlannedChange? {",
      over: "method", default: SwiftHandlers.notFound
    ) { text in
      for message in requests(of: service) where message.request?.kind == .planned {
        text.line("case .\(Names.function(message.method)):")
        SwiftHandlers.decode(message, into: &text)
        SwiftHandlers.writeOrReturn("\(Names.function(message.method))(params, &context)", into: &text)
      }
    }
  }

  // MARK: plain requests

  /// The entity and collection of a plain request.
  private struct Plain {
    let entity: String
    let collection: Collection

    /// The generated code for a request.
    func lines(_ verb: PlainVerb) -> [String] {
      let (one, many) = ("#\",\"\(collection.member)\":\"#", "#\",\"\(collection.members)\":\"#")
      switch verb {
      case .add:
        return [
          "let added = try context.add(\(entity).self, params, params.id)",
          "writer.answer(\(one), added.entity, created: added.isNew, revision: added.revision)",
        ]
      case .update:
        return [
          "let updated = try context.update(\(entity).self, params, params.id, basedOn: params.revision)",
          "writer.answer(\(one), updated.entity, revision: updated.revision)",
        ]
      case .delete:
        return [
          "let deleted = try context.delete(\(entity).self, params.id, basedOn: params.revision)",
          "writer.answer(\(one), deleted.entity, revision: deleted.revision)",
        ]
      case .get:
        return [
          "let record = try context.record(of: \(entity).self, params.id)",
          "writer.answer(\(one), context.fragment(record) as JSONFragment<\(entity)>, revision: try context.storeRevision())",
        ]
      case .list:
        let days = collection.isDated ? "day: params.day, from: params.from, to: params.to, " : ""
        let request = "PageRequest(\(days)limit: params.limit, cursor: params.cursor)"
        return ["try context.writePage(of: \(entity).self, \(request), as: \(many), to: &writer)"]
      }
    }
  }

  private func plain(_ message: Message) -> Plain? {
    let name = message.method.prefix { $0 != "/" }
    for type in specification.domains.flatMap(\.types) {
      if let collection = type.collection, collection.name == name {
        return Plain(entity: type.name, collection: collection)
      }
    }
    return nil
  }
}
