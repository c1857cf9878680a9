import ProtocolModel

/// Emits, for each domain service, the protocol of its handlers and the dispatch of requests to them.
struct SwiftServices {
  let specification: Specification

  /// The names of the services, in the order of their first domains.
  var names: [String] {
    var names: [String] = []
    for domain in specification.domains {
      if let service = domain.service, !names.contains(service) { names.append(service) }
    }
    return names
  }

  private func domains(of service: String) -> [Domain] { specification.domains.filter { $0.service == service } }

  func requests(of service: String) -> [Message] {
    domains(of: service).flatMap { $0.requests.filter { SwiftServices.isServed($0) } }
  }

  private static func isServed(_ message: Message) -> Bool {
    message.direction.isFromClient && message.request?.isOfSession == false
  }

  func emit(_ service: String, into text: inout TextBuilder) {
    text.line("/// The requests that the \(service) service answers with handwritten code.")
    text.block("protocol \(service)Handlers: AnyObject {") { text in
      for domain in domains(of: service) {
        text.line("// MARK: \(domain.title)\n")
        for message in domain.requests where SwiftServices.isServed(message) && message.plainVerb == nil {
          guard let request = message.request else { continue }
          text.doc(message.doc)
          let type = SwiftHandlers.resultType(request)
          let result = request.isKept ? "JSONFragment<\(type)>" : type
          text.line(
            "func \(Names.function(message.method))(_ params: \(SwiftHandlers.paramsType(message)), _ context: inout Context) throws(RPCError) -> \(request.isHeavy ? "HeavyAnswer<\(result)>" : result)"
          )
        }
      }
    }
    text.line()
    text.block("extension \(service)Service: DomainService, \(service)Handlers {") { text in
      dispatch(service, into: &text)
      text.line()
      heavy(service, into: &text)
    }
  }

  private func dispatch(_ service: String, into text: inout TextBuilder) {
    text.line("/// Answers a request: decodes its params, calls its handler, writes the result.")
    text.switchBlock(
      "package func dispatch(\n  _ method: Method, _ reader: inout JSONReader, _ context: inout Context, _ writer: inout JSONWriter\n) throws(RPCError) {",
      over: "method", default: SwiftHandlers.notFound
    ) { text in
      for message in requests(of: service) where message.request?.isHeavy == false {
        text.line("case .\(Names.function(message.method)):")
        SwiftHandlers.decode(message, into: &text)
        if let verb = message.plainVerb, let plain = plain(message) {
          for line in plain.lines(verb) { text.line("  " + line) }
        } else {
          text.line("  try \(Names.function(message.method))(params, &context).encode(to: &writer)")
        }
      }
    }
  }

  private func heavy(_ service: String, into text: inout TextBuilder) {
    text.line("/// Starts a heavy request.")
    text.switchBlock(
      "package func heavy(\n  _ method: Method, _ reader: inout JSONReader, _ context: inout Context\n) throws(RPCError) -> HeavyAnswer<JSONFragment<JSONValue>> {",
      over: "method", default: SwiftHandlers.heavyNotFound
    ) { text in
      for message in requests(of: service) where message.request?.isHeavy == true {
        text.line("case .\(Names.function(message.method)):")
        SwiftHandlers.decode(message, into: &text)
        text.line("  return try \(Names.function(message.method))(params, &context).encoded")
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
