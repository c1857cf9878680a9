import ProtocolModel

/// Emits the table of requests and notifications that a client may send, and their ordering.
struct SwiftMethods {
  let specification: Specification

  private func messages(_ domain: Domain) -> [Message] {
    (domain.requests + domain.notifications).filter(\.direction.isFromClient)
  }

  /// One line a method, those of debug builds under their condition.
  private func each(into text: inout TextBuilder, _ body: (Message, inout TextBuilder) -> Void) {
    for domain in specification.domains {
      if domain.isDebugOnly { text.line("#if DEBUG") }
      for message in messages(domain) { body(message, &text) }
      if domain.isDebugOnly { text.line("#endif") }
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
      text.line("/// The name on the wire.")
      text.block("package var name: StaticString {") { text in
        text.line("switch self {")
        each(into: &text) { message, text in
          text.line("case .\(Names.function(message.method)): \"\(message.method)\"")
        }
        text.line("}")
      }
      text.line()
      text.line("/// The method with that name; nil when this build knows none.")
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

  /// What may stand between a method and its answer, and what may be told of it.
  private func emitGates(into text: inout TextBuilder) {
    text.line("/// Whether it is served while the app is locked: it is marked so, or touches no data.")
    text.block("package var isServedWhileLocked: Bool {") { text in
      text.line("switch self {")
      each(into: &text) { message, text in
        if message.request?.isServedWhileLocked == false {
          text.line("case .\(Names.function(message.method)): false")
        }
      }
      text.line("default: true")
      text.line("}")
    }
    text.line()
    text.line("/// Whether its params may not be written to any log.")
    text.block("package var isSensitive: Bool {") { text in
      text.line("switch self {")
      each(into: &text) { message, text in
        if message.request?.isSensitive == true { text.line("case .\(Names.function(message.method)): true") }
      }
      text.line("default: false")
      text.line("}")
    }
    text.line()
    text.line("/// The premium feature without which it is refused; nil for a method that is free.")
    text.block("package var feature: StaticString? {") { text in
      text.line("switch self {")
      each(into: &text) { message, text in
        if let feature = message.request?.feature {
          text.line("case .\(Names.function(message.method)): \"\(feature)\"")
        }
      }
      text.line("default: nil")
      text.line("}")
    }
  }

  /// Emits how long the service waits for answers to its own requests.
  func emitTimeouts(into text: inout TextBuilder) {
    text.doc(
      "How long the service waits for the answer to a request of its own, in milliseconds, unless the work that it belongs to says otherwise."
    )
    text.block("package enum RequestTimeout {") { text in
      for message in specification.requests {
        guard let timeout = message.request?.timeout else { continue }
        text.line("package static let \(Names.function(message.method)) = \(timeout)")
      }
    }
  }

  func emitOrdering(into text: inout TextBuilder) {
    text.block("extension Method {") { text in
      text.line("/// What the method does, which decides what it may overtake.")
      text.block("package var effect: Effect {") { text in
        text.line("switch self {")
        each(into: &text) { message, text in
          let effect = message.request?.effect.rawValue ?? "notification"
          text.line("case .\(Names.function(message.method)): .\(effect)")
        }
        text.line("}")
      }
      text.line()
      text.line("/// Whether it is a read that works off the session's thread.")
      text.block("package var isHeavy: Bool {") { text in
        text.line("switch self {")
        each(into: &text) { message, text in
          if message.request?.isHeavy == true { text.line("case .\(Names.function(message.method)): true") }
        }
        text.line("default: false")
        text.line("}")
      }
      text.line()
      text.line("/// The collections it reads or changes; `*` is all of them.")
      text.block("package var scope: [StaticString] {") { text in
        text.line("switch self {")
        each(into: &text) { message, text in
          if let scope = message.request?.scope, !scope.isEmpty {
            let list = scope.map { "\"\($0)\"" }.joined(separator: ", ")
            text.line("case .\(Names.function(message.method)): [\(list)]")
          }
        }
        text.line("default: []")
        text.line("}")
      }
      text.line()
      emitGates(into: &text)
    }
  }
}
