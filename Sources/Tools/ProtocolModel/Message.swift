import JSON

/// Who sends a message.
package enum Direction: String, Sendable {
  case clientToServer, serverToClient, both

  package var isFromClient: Bool { self != .serverToClient }
  package var isFromServer: Bool { self != .clientToServer }
}

/// The effect of a request, which determines ordering.
package enum Effect: String, Sendable {
  case read, write, files, session
}

/// A request or a notification.
package struct Message: Sendable {
  package var method: String
  package var direction: Direction
  package var doc: String
  package var since: Int
  /// The params, a struct named after the method.
  package var params: TypeDefinition
  /// The parts that only requests have.
  package var request: Request?
  /// The importance of a notification of the service: `state`, `event`, `log` or `startup`.
  package var delivery: String?
  /// Whether it may come at any time, without a cause on the connection.
  package var isUnprompted = false
  /// The event group for subscriptions, unless it is the event of a collection.
  package var group: String?
  package var deprecated: String?
  /// The plain operation on an entity of its collection, if it is one.
  package var plainMethod: PlainVerb?
  /// The plain operation, if generated code answers it.
  package var plainVerb: PlainVerb?
  /// Whether it is the event of a collection.
  package var isPlainEvent = false
  /// The file and the JSON Pointer of its definition.
  package var place: String

  package struct Request: Sendable {
    package var result: TypeExpression
    /// The result struct, if it is defined in place.
    package var resultType: TypeDefinition?
    package var errors: [String]
    package var effect: Effect
    package var scope: [String]
    package var isHeavy: Bool
    /// Whether it changes so much at times that it is worked out outside the session then.
    package var isPlanned = false
    /// The projections that its handler uses: those of its service by name, `offers`, the ones behind all measures,
    /// agenda sections and reminders, or `entries`, those that entries are read with.
    package var needs: [String] = []
    /// Whether its result is cached as text while nothing changes.
    package var isKept: Bool
    package var isCancellable: Bool
    package var reportsProgress: Bool
    package var partialItem: TypeExpression?
    package var requires: String?
    /// For requests of the service: the time limit for an answer in milliseconds, unless the caller sets one.
    package var timeout: Int?
    /// Whether it is marked as served while the app is locked although it touches data.
    package var whileLocked = false
    /// Whether its params must not be logged.
    package var isSensitive = false
    /// The premium feature that it requires.
    package var feature: String?
    /// Whether it undoes the caller's latest change by a method of the same collection, which the session does.
    package var isUndo = false
    /// The room of the server that answers it: its own, else that of its domain; nil for a service or the session.
    package var room: String?
    package var examples: [Example]

    /// Whether its handler returns work to be done outside the session. What is heavy because of a projection is plain
    /// once that is there.
    package var isDeferred: Bool { isHeavy && needs.isEmpty }
    /// How its handler answers.
    package var kind: HandlerKind { isDeferred ? .heavy : isPlanned ? .planned : .plain }

    /// Whether it is served while the app is locked: marked so, or without a scope.
    package var isServedWhileLocked: Bool { whileLocked || scope.isEmpty }
  }

  /// How a handler answers: at once, with work for outside the session, or either, by the size of the change.
  package enum HandlerKind: Sendable {
    case plain, heavy, planned
  }

  /// An example call with its result or error.
  package struct Example: Sendable {
    package var name: String
    /// The session state it requires: `none` or `initialized`.
    package var session: String
    package var fixture: String
    /// The client capabilities in the preceding handshake.
    package var capabilities: JSONObject
    /// The build it applies to: `any`, `debug` or `release`.
    package var build: String
    package var params: JSONValue
    package var result: JSONValue?
    /// A pattern for `error.data`.
    package var error: JSONValue?
  }

  init(request node: SourceNode, since: Int) throws(SpecificationError) {
    _ = try node.object([
      "method", "direction", "doc", "since", "effect", "scope", "params", "result", "errors", "examples", "heavy",
      "planned", "needs", "kept", "cancellable", "progress", "partialItem", "requires", "whileLocked", "sensitive",
      "feature", "lenient",
      "deprecated", "stability", "plain", "undo", "room", "timeoutMs",
    ])
    try self.init(common: node, since: since)
    let base = Names.type(method)
    guard let effect = Effect(rawValue: try node.string("effect")) else { throw node.fail("no such effect") }
    let resultNode = try node.required("result")
    var resultType: TypeDefinition?
    let result: TypeExpression
    if case .string(let text) = resultNode.value {
      guard let type = TypeExpression(text) else { throw resultNode.fail("“\(text)” is not a type") }
      result = type
    } else {
      _ = try resultNode.object(["members"])
      result = .named(base + "Result")
      resultType = TypeDefinition(
        name: base + "Result", doc: "The result of `\(method)`.",
        members: try TypeDefinition.members(resultNode.elements("members")), place: resultNode.place)
    }
    var examples: [Example] = []
    for example in try node.elements("examples") { examples.append(try Message.example(example)) }
    request = Request(
      result: result, resultType: resultType, errors: try node.strings("errors"), effect: effect,
      scope: try node.strings("scope"), isHeavy: try node.bool("heavy"),
      isPlanned: try node.bool("planned"), needs: try node.strings("needs"), isKept: try node.bool("kept"),
      isCancellable: try node.bool("cancellable"),
      reportsProgress: try node.bool("progress"),
      partialItem: try Message.partialItem(node),
      requires: try node.optionalString("requires"), timeout: try node.optionalInt("timeoutMs"),
      whileLocked: try node.bool("whileLocked"),
      isSensitive: try node.bool("sensitive"), feature: try node.optionalString("feature"),
      isUndo: try node.bool("undo"), room: try node.optionalString("room"), examples: examples)
    for mark in ["whileLocked", "sensitive", "feature"] where direction == .serverToClient {
      if let child = node.child(mark) { throw child.fail("“\(mark)” belongs to requests of clients") }
    }
    if examples.isEmpty { throw node.fail("“\(method)” has no example") }
    if (direction == .serverToClient) != (request?.timeout != nil) {
      throw node.fail("a request has “timeoutMs” if it is the service's, and only then")
    }
  }

  init(notification node: SourceNode, since: Int) throws(SpecificationError) {
    _ = try node.object([
      "method", "direction", "doc", "since", "params", "delivery", "unprompted", "group", "lenient", "deprecated",
      "plain",
    ])
    try self.init(common: node, since: since)
    delivery = try node.optionalString("delivery")
    isUnprompted = try node.bool("unprompted")
    group = try node.optionalString("group")
    if direction.isFromServer, delivery == nil { throw node.fail("a notification of the service needs its delivery") }
    if let delivery, !Message.deliveries.contains(delivery), let child = node.child("delivery") {
      let known = Message.deliveries.joined(separator: ", ")
      throw child.fail("there is no delivery “\(delivery)”; expected one of \(known)")
    }
  }

  /// The valid values of `delivery`.
  private static let deliveries = ["state", "event", "log", "startup"]

  private init(common node: SourceNode, since: Int) throws(SpecificationError) {
    place = node.place
    method = try node.string("method")
    guard let direction = Direction(rawValue: try node.string("direction")) else {
      throw node.fail("no such direction")
    }
    self.direction = direction
    doc = try node.string("doc")
    self.since = try node.optionalInt("since") ?? since
    deprecated = try node.optionalString("deprecated")
    params = TypeDefinition(
      name: Names.type(method) + "Params", doc: "The params of `\(method)`.",
      members: try TypeDefinition.members(node.elements("params")), place: node.place + "/params")
    params.isParams = true
    params.isLenient = try node.bool("lenient")
  }

  private static func partialItem(_ node: SourceNode) throws(SpecificationError) -> TypeExpression? {
    guard let item = node.child("partialItem") else { return nil }
    let text = try item.string()
    guard let type = TypeExpression(text), type != .null else { throw item.fail("“\(text)” is not a type") }
    return type
  }

  private static func example(_ node: SourceNode) throws(SpecificationError) -> Example {
    let object = try node.object([
      "name", "session", "fixture", "capabilities", "build", "events", "params", "result", "error",
    ])
    guard (object["result"] == nil) != (object["error"] == nil) else {
      throw node.fail("an example has either a result or an error")
    }
    let session = try node.optionalString("session") ?? "initialized"
    var capabilities = JSONObject()
    if let child = node.child("capabilities") {
      guard case .object(let members) = child.value else { throw child.fail("an object is expected") }
      guard session == "initialized" else { throw child.fail("there is no handshake in a session “\(session)”") }
      capabilities = members
    }
    let build = try node.optionalString("build") ?? "any"
    if !["any", "debug", "release"].contains(build), let child = node.child("build") {
      throw child.fail("there is no build “\(build)”; expected any, debug or release")
    }
    return Example(
      name: try node.string("name"), session: session,
      fixture: try node.optionalString("fixture") ?? "empty", capabilities: capabilities, build: build,
      params: try node.required("params").value,
      result: object["result"], error: object["error"])
  }
}
