import ProtocolModel

/// Emits the handler protocol of each domain, and the dispatch of requests to the handlers.
struct SwiftHandlers {
  let specification: Specification

  private func requests(_ domain: Domain) -> [Message] { domain.requests.filter(\.direction.isFromClient) }

  private func hasParams(_ message: Message) -> Bool { !message.params.members.isEmpty || message.params.isLenient }

  private func paramsType(_ message: Message) -> String { hasParams(message) ? message.params.name : "NoParams" }

  private func resultType(_ request: Message.Request) -> String {
    request.result == .scalar(.json) ? "JSONFragment<JSONValue>" : SwiftTypes.name(request.result)
  }

  func emitProtocol(_ domain: Domain, into text: inout TextBuilder) {
    text.doc("What the session answers in the domain “\(domain.name)”. \(domain.doc)")
    text.block("protocol \(Names.type(domain.name))Handlers: Actor {") { text in
      for message in requests(domain) {
        guard let request = message.request else { continue }
        text.doc(message.doc)
        let name = Names.function(message.method)
        let params = "_ params: \(paramsType(message))"
        let result = resultType(request)
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

  func emitDispatch(into text: inout TextBuilder) {
    let names = specification.domains.filter { !$0.isDebugOnly }.map { Names.type($0.name) + "Handlers" }
    text.line("extension Session: \(names.joined(separator: ", ")) {}")
    for domain in specification.domains where domain.isDebugOnly {
      text.line("#if DEBUG\nextension Session: \(Names.type(domain.name))Handlers {}\n#endif")
    }
    text.line()
    text.block("extension Session {") { text in
      text.line(
        "/// Answers a request on the session itself: decodes its params, calls its handler, writes the result.")
      text.block(
        "func dispatch(\n  _ method: Method, _ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter\n) throws(RPCError) {"
      ) { text in
        text.line("switch method {")
        each(into: &text) { message, request, text in
          guard !request.isHeavy else { return }
          let name = Names.function(message.method)
          text.line("case .\(name):")
          text.line("  let params = try decode(\(paramsType(message)).self, &reader)")
          let argument = request.effect == .read ? "" : ", &call"
          text.line("  try \(name)(params\(argument)).encode(to: &writer)")
        }
        text.line("default: throw RPCError(.methodNotFound, \"no request of that name is answered here\")")
        text.line("}")
      }
      text.line()
      text.line("/// Decodes the params of a heavy request, and returns the work that gives the text of its result.")
      text.block(
        "func heavyWork(\n  _ method: Method, _ reader: inout JSONReader\n) throws(RPCError) -> @Sendable (HeavyWork) async throws(RPCError) -> [UInt8] {"
      ) { text in
        text.line("switch method {")
        each(into: &text) { message, request, text in
          guard request.isHeavy else { return }
          let name = Names.function(message.method)
          text.line("case .\(name):")
          text.line("  let params = try decode(\(paramsType(message)).self, &reader)")
          text.line("  return { work throws(RPCError) in try await self.\(name)(params, work).json }")
        }
        text.line("default: throw RPCError(.methodNotFound, \"no heavy request of that name is answered here\")")
        text.line("}")
      }
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
