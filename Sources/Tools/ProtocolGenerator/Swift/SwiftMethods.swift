import ProtocolModel

/// Emits the table of requests and notifications that a client may send, and their ordering.
struct SwiftMethods {
  let specification: Specification

  private func messages(_ domain: Domain) -> [Message] {
    (domain.requests + domain.notifications).filter(\.direction.isFromClient)
  }

  /// Calls `body` for each message, inside `#if DEBUG` for debug domains.
  private func each(into text: inout TextBuilder, _ body: (Message, inout TextBuilder) -> Void) {
    for domain in specification.domains {
      if domain.isDebugOnly { text.line("#if DEBUG") }
      for message in messages(domain) { body(message, &text) }
      if domain.isDebugOnly { text.line("#endif") }
    }
  }

  /// Emits a property that switches over the methods; those without a value take the default.
  private func property(
    _ doc: String, _ declaration: String, default fallback: String? = nil, into text: inout TextBuilder,
    _ value: (Message) -> String?
  ) {
    text.line("/// \(doc)")
    text.switchBlock("package var \(declaration) {", default: fallback) { text in
      each(into: &text) { message, text in
        if let value = value(message) { text.line("case .\(Names.function(message.method)): \(value)") }
      }
    }
  }

  func emit(into text: inout TextBuilder) {
    text.line("/// The requests and notifications a client may send.")
    text.block("package enum Method: UInt16, Sendable, CaseIterable {") { text in
      each(into: &text) { message, text in
        text.doc(message.doc)
        text.line("case \(Names.function(message.method))")
      }
      text.line()
      property("The name on the wire.", "name: StaticString", into: &text) { "\"\($0.method)\"" }
      text.line()
      text.line("/// The method with that name; nil when this build has none.")
      text.block("package init?(utf8 name: UnsafeRawBufferPointer) {") { text in
        lookup(into: &text)
      }
    }
  }

  /// A switch on the length, then a comparison with each name of that length.
  private func lookup(into text: inout TextBuilder) {
    let all = specification.domains.flatMap { domain in messages(domain).map { (domain.isDebugOnly, $0.method) } }
    text.line("switch name.count {")
    for length in Set(all.map { $0.1.utf8.count }).sorted() {
      text.line("case \(length):")
      for (isDebug, method) in all where method.utf8.count == length {
        if isDebug { text.line("#if DEBUG") }
        text.line("  if Method.matches(name, \"\(method)\") { self = .\(Names.function(method)); return }")
        if isDebug { text.line("#endif") }
      }
      text.line("  return nil")
    }
    text.line("default: return nil")
    text.line("}")
  }

  /// Emits how long the service waits for answers to its own requests.
  func emitTimeouts(into text: inout TextBuilder) {
    text.doc(
      "The time limits for answers to the service's own requests, in milliseconds, unless the caller sets one."
    )
    text.block("package enum RequestTimeout {") { text in
      for message in specification.requests {
        guard let timeout = message.request?.timeout else { continue }
        text.line("package static let \(Names.function(message.method)) = \(timeout)")
      }
    }
  }

  /// Emits the properties that determine the order of methods, their gates, and what may be logged.
  func emitOrdering(into text: inout TextBuilder) {
    text.block("extension Method {") { text in
      property("The effect of the method, which determines the order of requests.", "effect: Effect", into: &text) {
        ".\($0.request?.effect.rawValue ?? "notification")"
      }
      text.line()
      property(
        "Whether its handler returns work to be done outside the session.", "isHeavy: Bool", default: "false",
        into: &text
      ) { $0.request?.kind == .heavy ? "true" : nil }
      text.line()
      property(
        "Whether its handler may leave the request to be worked out outside the session.", "isPlanned: Bool",
        default: "false", into: &text
      ) { $0.request?.kind == .planned ? "true" : nil }
      text.line()
      property(
        "The collections it reads or changes; `*` is all of them.", "scope: [StaticString]", default: "[]", into: &text
      ) { message in
        guard let scope = message.request?.scope, !scope.isEmpty else { return nil }
        return "[\(scope.map { "\"\($0)\"" }.joined(separator: ", "))]"
      }
      text.line()
      property(
        "Whether it is served while the app is locked: marked so, or without a scope.",
        "isServedWhileLocked: Bool", default: "true", into: &text
      ) { $0.request?.isServedWhileLocked == false ? "false" : nil }
      text.line()
      property("Whether its params must not be logged.", "isSensitive: Bool", default: "false", into: &text) {
        $0.request?.isSensitive == true ? "true" : nil
      }
      text.line()
      property(
        "The premium feature that it requires; nil for a free method.", "feature: StaticString?",
        default: "nil", into: &text
      ) { message in message.request?.feature.map { "\"\($0)\"" } }
    }
  }
}
