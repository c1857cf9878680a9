import ProtocolModel

/// Emits the handler protocol of each domain, and the dispatch of requests to the handlers.
struct SwiftHandlers {
  let specification: Specification

  /// The default cases of dispatch.
  static let notFound = "throw RPCError(.methodNotFound, \"no request of that name is answered here\")"
  static let heavyNotFound = "throw RPCError(.methodNotFound, \"no heavy request of that name is answered here\")"

  /// The requests that the session itself answers in a domain.
  func requests(_ domain: Domain) -> [Message] {
    domain.requests.filter { message in
      guard message.direction.isFromClient, let request = message.request else { return false }
      return request.isOfSession || domain.service == nil && request.room == nil
    }
  }

  /// Whether the session conforms to a protocol for the requests of a domain.
  func hasProtocol(_ domain: Domain) -> Bool { domain.service == nil && !requests(domain).isEmpty }

  private static func hasParams(_ message: Message) -> Bool {
    !message.params.members.isEmpty || message.params.isLenient
  }

  static func paramsType(_ message: Message) -> String { hasParams(message) ? message.params.name : "NoParams" }

  /// Emits the lines of a `case` that decode the params.
  static func decode(_ message: Message, into text: inout TextBuilder) {
    let type = paramsType(message)
    text.line("  let params: \(type)")
    text.line(
      "  do { params = try \(type)(from: &reader) } catch { throw refusal(error, of: method, in: reader.text) }")
  }

  static func resultType(_ request: Message.Request) -> String {
    request.result == .scalar(.json) ? "JSONFragment<JSONValue>" : SwiftTypes.name(request.result)
  }

  func emitProtocol(_ domain: Domain, into text: inout TextBuilder) {
    text.doc("The requests that the session answers in the domain “\(domain.name)”. \(domain.doc)")
    text.block("protocol \(Names.type(domain.name))Handlers: Actor {") { text in
      for message in requests(domain) {
        guard let request = message.request else { continue }
        text.doc(message.doc)
        let name = Names.function(message.method)
        let params = "_ params: \(SwiftHandlers.paramsType(message))"
        let result = SwiftHandlers.resultType(request)
        if request.isHeavy {
          text.line("nonisolated func \(name)(\(params), _ work: HeavyWork) async throws(RPCError) -> \(result)")
        } else if request.effect == .read {
          text.line("func \(name)(\(params)) throws(RPCError) -> \(result)")
        } else {
          text.line("func \(name)(\(params), _ call: inout Call) throws(RPCError) -> \(result)")
        }
      }
    }
  }

  /// Emits the list of entities whose rules apply to every import.
  func emitEntities(into text: inout TextBuilder) {
    text.line("/// The entities of all collections, each with the rules of its domain.")
    text.block("enum StoredEntities {") { text in
      text.block("static let all: [any CheckedEntity.Type] = [", closing: "]") { text in
        for type in specification.domains.flatMap(\.types) where type.collection != nil {
          text.line("DaybookProtocol.\(type.name).self,")
        }
      }
    }
  }

  /// Emits the domain services, and the server capabilities.
  func emitServices(into text: inout TextBuilder) {
    text.line("/// The services of the domains.")
    text.block("struct Services {") { text in
      for service in SwiftAnswerers(specification: specification, kind: .service).names {
        text.line("let \(Names.function(service)) = \(service)Service()")
      }
      let offers = SwiftDayMeasureRegistry(specification: specification)
      if offers.isAny { offers.emitOffers(into: &text) }
      text.line()
      let names = SwiftAnswerers(specification: specification, kind: .service).names.map(Names.function).joined(
        separator: ", ")
      text.line("/// All of them, in the order of the protocol.")
      text.line("var all: [any DomainService] { [\(names)] }")
      text.line()
      text.line("/// Their types, in the same order.")
      let types = SwiftAnswerers(specification: specification, kind: .service).names.map { "\($0)Service.self" }.joined(
        separator: ", ")
      text.line("static var types: [any DomainService.Type] { [\(types)] }")
      text.line()
      text.line("/// The server's capabilities, ascending.")
      let capabilities = specification.capabilities.filter { $0.side == "server" }.map { "\"\($0.name)\"" }.sorted()
      text.line("static let capabilities = [\(capabilities.joined(separator: ", "))]")
    }
  }

  func emitDispatch(into text: inout TextBuilder) {
    let names = specification.domains.filter { !$0.isDebugOnly && hasProtocol($0) }.map {
      Names.type($0.name) + "Handlers"
    }
    text.line("extension Session: \(names.joined(separator: ", ")) {}")
    for domain in specification.domains where domain.isDebugOnly {
      text.line("#if DEBUG\nextension Session: \(Names.type(domain.name))Handlers {}\n#endif")
    }
    text.line()
    text.block("extension Session {") { text in
      text.line(
        "/// Answers a request on the session itself: decodes its params, calls its handler, writes the result.")
      text.switchBlock(
        "func dispatch(\n  _ method: Method, _ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter\n) throws(RPCError) {",
        over: "method", default: SwiftHandlers.notFound
      ) { text in
        each(into: &text) { message, request, text in
          guard !request.isHeavy else { return }
          let name = Names.function(message.method)
          text.line("case .\(name):")
          SwiftHandlers.decode(message, into: &text)
          let argument = request.effect == .read ? "" : ", &call"
          text.line("  try \(name)(params\(argument)).encode(to: &writer)")
        }
        answerers(.service, isHeavy: false, into: &text) { service, text in
          text.line("  var context = context(call)")
          text.line("  defer { call.take(context) }")
          text.line("  try services.\(service).dispatch(method, &reader, &context, &writer)")
        }
        answerers(.room, isHeavy: false, into: &text) { room, text in
          text.line("  var desk = desk(call)")
          text.line("  defer { call = desk.call }")
          text.line("  try rooms.\(room).dispatch(method, &reader, &desk, &writer)")
        }
      }
      text.line()
      text.line("/// Decodes the params of a heavy request, and returns the work that produces its result as text.")
      text.switchBlock(
        "func heavyWork(\n  _ method: Method, _ reader: inout JSONReader\n) throws(RPCError) -> @Sendable (HeavyWork) async throws(RPCError) -> [UInt8] {",
        over: "method", default: SwiftHandlers.heavyNotFound
      ) { text in
        each(into: &text) { message, request, text in
          guard request.isHeavy else { return }
          let name = Names.function(message.method)
          text.line("case .\(name):")
          SwiftHandlers.decode(message, into: &text)
          text.line("  return { work throws(RPCError) in try await self.\(name)(params, work).json }")
        }
      }
      text.line()
      text.line("/// Starts a heavy request of a service or a room; nil for one of the session.")
      text.switchBlock(
        "func heavyAnswer(\n  _ method: Method, _ reader: inout JSONReader, _ call: Call\n) throws(RPCError) -> HeavyAnswer<JSONFragment<JSONValue>>? {",
        over: "method", default: "return nil"
      ) { text in
        answerers(.service, isHeavy: true, into: &text) { service, text in
          text.line("  var context = context(call)")
          text.line("  return try services.\(service).heavy(method, &reader, &context)")
        }
        answerers(.room, isHeavy: true, into: &text) { room, text in
          text.line("  var desk = desk(call)")
          text.line("  return try rooms.\(room).heavy(method, &reader, &desk)")
        }
      }
    }
  }

  /// Emits a case for the requests of each service or room.
  private func answerers(
    _ kind: SwiftAnswerers.Kind, isHeavy: Bool, into text: inout TextBuilder,
    _ body: (String, inout TextBuilder) -> Void
  ) {
    let answerers = SwiftAnswerers(specification: specification, kind: kind)
    for name in answerers.names {
      let methods = answerers.requests(of: name).filter { $0.request?.isHeavy == isHeavy }
      guard !methods.isEmpty else { continue }
      text.line("case \(methods.map { "." + Names.function($0.method) }.joined(separator: ", ")):")
      body(Names.function(name), &text)
    }
  }

  private func each(into text: inout TextBuilder, _ body: (Message, Message.Request, inout TextBuilder) -> Void) {
    for domain in specification.domains {
      if domain.isDebugOnly { text.line("#if DEBUG") }
      for message in requests(domain) {
        if let request = message.request { body(message, request, &text) }
      }
      if domain.isDebugOnly { text.line("#endif") }
    }
  }
}
