import ProtocolModel

/// The protocol's items by name.
package struct Schema: Sendable {
  /// What the files say.
  package let specification: Specification
  /// Requests by method.
  package let requests: [String: Message]
  /// Notifications by method.
  package let notifications: [String: Message]
  /// Types by name, those of params and results among them.
  package let types: [String: TypeDefinition]
  /// Errors by name.
  package let errors: [String: ErrorDefinition]
  /// The names of everything that only debug builds have: methods, notifications, types and errors of their domains.
  package let debugOnly: Set<String>

  /// Looks up everything once.
  package init(_ specification: Specification) {
    self.specification = specification
    requests = Dictionary(specification.requests.map { ($0.method, $0) }) { first, _ in first }
    notifications = Dictionary(specification.notifications.map { ($0.method, $0) }) { first, _ in first }
    types = Dictionary(specification.allTypes.map { ($0.name, $0) }) { first, _ in first }
    errors = Dictionary(specification.errors.map { ($0.name, $0) }) { first, _ in first }
    var debugOnly: Set<String> = []
    for domain in specification.domains where domain.isDebugOnly {
      debugOnly.formUnion((domain.requests + domain.notifications).map(\.method))
      debugOnly.formUnion(domain.types.map(\.name))
      debugOnly.formUnion(domain.errors.map(\.name))
    }
    self.debugOnly = debugOnly
  }

  /// Whether a type is there, down to its elements.
  package func knows(_ type: TypeExpression) -> Bool { type.reference.map { types[$0] != nil } ?? true }

  /// Whether a method is a notification that may come between any other messages: of the report on a start, or unprompted.
  func isPassedOver(_ method: String) -> Bool {
    notifications[method].map { $0.delivery == "startup" || $0.isUnprompted } ?? false
  }

  /// Whether an error may answer any request: those with the codes of JSON-RPC and LSP, which are the connection's own.
  package func isCommon(_ error: ErrorDefinition) -> Bool { error.code < 0 && error.name != "serverNotInitialized" }

  /// Whether an error may answer a request of a method; of one that nobody knows, any of the connection's own may.
  package func mayAnswer(_ error: ErrorDefinition, _ method: String?) -> Bool {
    if isCommon(error) { return true }
    guard let request = method.flatMap({ requests[$0] })?.request else { return error.code < 0 }
    if error.name == "locked", !request.isServedWhileLocked { return true }
    return request.errors.contains(error.name)
  }
}
