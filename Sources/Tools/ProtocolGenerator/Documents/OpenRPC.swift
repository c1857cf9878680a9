import JSON
import ProtocolModel

/// The OpenRPC 1.3 export; `x-` members hold what OpenRPC cannot express (direction, ordering, capabilities).
struct OpenRPC {
  let specification: Specification
  /// Whether debug-only domains are included.
  var inDebug = true

  var document: JSONValue {
    let domains = specification.domains.filter { inDebug || !$0.isDebugOnly }
    let types = domains.flatMap { specification.allTypes(of: $0) }.filter { !$0.isParams }
    return [
      "openrpc": "1.3.2",
      "info": [
        "title": .string(specification.title), "version": .string("\(specification.protocolVersion).0.0"),
        "description": .string(specification.doc),
      ],
      "x-capabilities": .array(
        specification.capabilities.map {
          ["name": .string($0.name), "side": .string($0.side), "description": .string($0.doc)]
        }),
      "methods": .array(
        domains.flatMap { domain in (domain.requests + domain.notifications).map { method($0, domain) } }),
      "components": [
        "errors": errors, "schemas": .object(JSONObject(types.map { ($0.name, Schemas().schema($0)) })),
      ],
    ]
  }

  private func method(_ message: Message, _ domain: Domain) -> JSONValue {
    var object: JSONObject = [
      "name": .string(message.method), "description": .string(message.doc),
      "tags": [["name": .string(domain.name)]], "paramStructure": "by-name",
      "params": .array(
        message.params.members.map {
          [
            "name": .string($0.name), "description": .string($0.doc), "required": .bool(!$0.isOptional),
            "schema": Schemas().schema($0),
          ]
        }),
    ]
    if let request = message.request {
      object["result"] = ["name": "result", "schema": Schemas().schema(request.result)]
      object["errors"] = .array(request.errors.map { ["$ref": .string("#/components/errors/\($0)")] })
      object["x-effect"] = .string(request.effect.rawValue)
      object["x-scope"] = .array(request.scope.map { .string($0) })
      if request.isHeavy { object["x-heavy"] = true }
      if request.isCancellable { object["x-cancellable"] = true }
      if request.reportsProgress { object["x-progress"] = true }
      if let item = request.partialItem { object["x-partialItem"] = .string(item.text) }
      if let timeout = request.timeout { object["x-timeoutMs"] = .int(timeout) }
      if let ability = request.requires { object["x-requires"] = .string(ability) }
      if request.whileLocked { object["x-whileLocked"] = true }
      if request.isSensitive { object["x-sensitive"] = true }
      if let feature = request.feature { object["x-feature"] = .string(feature) }
      let events = events(of: request)
      if !events.isEmpty { object["x-events"] = .array(events.map { .string($0) }) }
      if let example = request.literalExample {
        let params = example.params.members.map { ["name": .string($0.name), "value": $0.value] as JSONValue }
        object["examples"] = [["name": .string(example.name), "params": .array(params)]]
      }
    }
    object["x-direction"] = .string(message.direction.rawValue)
    object["x-since"] = .int(message.since)
    if let delivery = message.delivery { object["x-delivery"] = .string(delivery) }
    if let build = domain.build { object["x-build"] = .string(build) }
    return .object(object)
  }

  /// The events of the collections that a request may change.
  private func events(of request: Message.Request) -> [String] {
    guard request.effect == .write else { return [] }
    let collections = specification.domains.flatMap(\.types).compactMap(\.collection)
    return collections.filter { request.scope.contains($0.name) }.compactMap(\.event)
  }

  /// All errors by name; the messages of actual responses are more specific.
  private var errors: JSONValue {
    .object(
      JSONObject(
        specification.errors.map { error in
          let data: JSONValue = ["name": .string(error.name), "retry": .string(error.retry)]
          return (error.name, ["code": .int(error.code), "message": .string(error.when), "data": data])
        }))
  }
}

extension Message.Request {
  /// The first example that succeeds and whose params are literal, if possible one that has any.
  fileprivate var literalExample: (name: String, params: JSONObject)? {
    let literal = examples.compactMap { example -> (name: String, params: JSONObject)? in
      guard example.result != nil, case .object(let params) = example.params,
        !example.params.json.contains(UInt8(ascii: "$"))
      else { return nil }
      return (example.name, params)
    }
    return literal.first { !$0.params.members.isEmpty } ?? literal.first
  }
}
