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
      return request.isUndo || domain.service == nil && request.room == nil
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
        switch request.kind {
        case .heavy:
          text.line("nonisolated func \(name)(\(params), _ work: HeavyWork) async throws(RPCError) -> \(result)")
        case .planned:
          text.line("func \(name)(\(params), _ call: inout Call) throws(RPCError) -> Resumable<\(result)>")
        case .plain where request.effect == .read:
          text.line("func \(name)(\(params)) throws(RPCError) -> \(result)")
        case .plain:
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
      text.line("/// The migrations of their stored forms.")
      text.line("static var migrations: [RecordMigrations.Steps] { \(sum(of: "migrations")) }")
      text.line()
      text.line("/// What they offer before the app is open, in order.")
      text.line("static let quickActions: [QuickAction] = \(sum(of: "quickActions"))")
      text.line()
      text.line("/// The server's capabilities, ascending.")
      let capabilities = specification.capabilities.filter { $0.side == "server" }.map { "\"\($0.name)\"" }.sorted()
      text.line("static let capabilities = [\(capabilities.joined(separator: ", "))]")
    }
  }

  /// The lists of all services, one after the other; written out, as a list of their types would be built for it.
  private func sum(of list: String) -> String {
    let services = SwiftAnswerers(specification: specification, kind: .service).names
    return services.isEmpty ? "[]" : services.map { "\($0)Service.\(list)" }.joined(separator: " + ")
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
        each(.plain, into: &text) { message, request, text in
          let argument = request.effect == .read ? "" : ", &call"
          text.line("  try \(Names.function(message.method))(params\(argument)).encode(to: &writer)")
        }
        answerers(.service, .plain, into: &text) { service, text in
          text.line("  var context = context(call)")
          text.line("  defer { call.adopt(context) }")
          text.line("  try services.\(service).dispatch(method, &reader, &context, &writer)")
        }
        answerers(.room, .plain, into: &text) { room, text in
          text.line("  var desk = desk(call)")
          text.line("  defer { call = desk.call }")
          text.line("  try rooms.\(room).dispatch(method, &reader, &desk, &writer)")
        }
      }
      text.line()
      text.line("/// Answers a request like `dispatch`, or returns what it waits for.")
      text.switchBlock(
        "func dispatchPlanned(\n  _ method: Method, _ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter\n) throws(RPCError) -> Preparation? {",
        over: "method", default: SwiftHandlers.notFound
      ) { text in
        each(.planned, into: &text) { message, request, text in
          let methods = message.method.prefix { $0 != "/" } + "/"
          let undo = "undo(of: \"\(methods)\", params, &call)"
          SwiftHandlers.writeOrReturn(
            request.isUndo ? undo : "\(Names.function(message.method))(params, &call)", into: &text)
        }
        answerers(.service, .planned, into: &text) { service, text in
          text.line("  var context = context(call)")
          text.line("  let change: PlannedChange?")
          text.line("  do {")
          text.line("    defer { call.adopt(context) }")
          text.line("    change = try services.\(service).planned(method, &reader, &context, &writer)")
          text.line("  }")
          text.line("  return try end(with: change, &call)")
        }
      }
      text.line()
      text.line("/// Decodes the params of a heavy request, and returns the work that produces its result as text.")
      text.switchBlock(
        "func heavyWork(\n  _ method: Method, _ reader: inout JSONReader, _ call: Call\n) throws(RPCError) -> @Sendable (HeavyWork) async throws(RPCError) -> [UInt8] {",
        over: "method", default: SwiftHandlers.heavyNotFound
      ) { text in
        each(.heavy, into: &text) { message, _, text in
          let name = Names.function(message.method)
          text.line("  return { work throws(RPCError) in try await self.\(name)(params, work).json }")
        }
        answerers(.service, .heavy, into: &text) { service, text in
          text.line("  var context = context(call)")
          text.line("  let deferred = try services.\(service).heavy(method, &reader, &context)")
          text.line("  return { work throws(RPCError) in Array(try await deferred.result(work).bytes) }")
        }
        answerers(.room, .heavy, into: &text) { room, text in
          text.line("  var desk = desk(call)")
          text.line("  let deferred = try rooms.\(room).heavy(method, &reader, &desk)")
          text.line("  return { work throws(RPCError) in Array(try await deferred.result(work).bytes) }")
        }
      }
      text.line()
      SwiftProjections(specification: specification).emit(into: &text)
    }
  }

  /// Emits the lines of a `case` that write a result which is there, and return what the request waits for otherwise.
  static func writeOrReturn(_ handler: String, into text: inout TextBuilder) {
    text.line("  switch try \(handler) {")
    text.line("  case .now(let result):")
    text.line("    result.encode(to: &writer)")
    text.line("    return nil")
    text.line("  case .later(let rest): return rest")
    text.line("  }")
  }

  /// Emits a case for the requests of each service or room.
  private func answerers(
    _ kind: SwiftAnswerers.Kind, _ handlers: Message.HandlerKind, into text: inout TextBuilder,
    _ body: (String, inout TextBuilder) -> Void
  ) {
    let answerers = SwiftAnswerers(specification: specification, kind: kind)
    for name in answerers.names {
      let methods = answerers.requests(of: name).filter { $0.request?.kind == handlers }
      guard !methods.isEmpty else { continue }
      text.line("case \(methods.map { "." + Names.function($0.method) }.joined(separator: ", ")):")
      body(Names.function(name), &text)
    }
  }

  /// Emits a case that decodes the params of each request of the session whose handler is of a kind.
  private func each(
    _ kind: Message.HandlerKind, into text: inout TextBuilder,
    _ body: (Message, Message.Request, inout TextBuilder) -> Void
  ) {
    for domain in specification.domains {
      let messages = requests(domain).filter { $0.request?.kind == kind }
      guard !messages.isEmpty else { continue }
      if domain.isDebugOnly { text.line("#if DEBUG") }
      for message in messages {
        guard let request = message.request else { continue }
        text.line("case .\(Names.function(message.method)):")
        SwiftHandlers.decode(message, into: &text)
        body(message, request, &text)
      }
      if domain.isDebugOnly { text.line("#endif") }
    }
  }
}
