import JSON
import ProtocolModel

/// The OpenRPC 1.3 export; `x-` members hold what OpenRPC cannot express (direction, ordering, capabilities).
struct OpenRPC {
  let specification: Specification
  /// Whether debug-only domains are included.
  var inDebug = true

  var document: JSONValue {
    var document = head
    let domains = specification.domains.filter { inDebug || !$0.isDebugOnly }
    document["methods"] = .array(domains.flatMap { methods(of: $0) })
    var schemas = JSONObject()
    for domain in domains {
      for member in self.schemas(of: domain).members { schemas[member.name] = member.value }
    }
    document["components"] = .object(JSONObject([("errors", errors), ("schemas", .object(schemas))]))
    return .object(document)
  }

  /// The members before the methods.
  private var head: JSONObject {
    JSONObject([
      ("openrpc", .string("1.3.2")),
      (
        "info",
        .object(
          JSONObject([
            ("title", .string(specification.title)), ("version", .string("\(specification.protocolVersion).0.0")),
            ("description", .string(specification.doc)),
          ]))
      ),
      (
        "x-capabilities",
        .array(
          specification.capabilities.map {
            .object(
              JSONObject([("name", .string($0.name)), ("side", .string($0.side)), ("description", .string($0.doc))]))
          })
      ),
    ])
  }

  private func schemas(of domain: Domain) -> JSONObject {
    JSONObject(
      specification.allTypes(of: domain).filter { !$0.isParams }.map { ($0.name, Schemas().schema($0)) })
  }

  private func methods(of domain: Domain) -> [JSONValue] {
    (domain.requests + domain.notifications).map { method($0, domain) }
  }

  private func method(_ message: Message, _ domain: Domain) -> JSONValue {
    var object = JSONObject([
      ("name", .string(message.method)), ("description", .string(message.doc)),
      ("tags", .array([.object(JSONObject([("name", .string(domain.name))]))])),
      ("paramStructure", .string("by-name")),
      (
        "params",
        .array(
          message.params.members.map { member in
            .object(
              JSONObject([
                ("name", .string(member.name)), ("description", .string(member.doc)),
                ("required", .bool(!member.isOptional)), ("schema", Schemas().schema(member)),
              ]))
          })
      ),
    ])
    if let request = message.request {
      object["result"] = .object(
        JSONObject([("name", .string("result")), ("schema", Schemas().schema(request.result))]))
      object["errors"] = .array(
        request.errors.map { .object(JSONObject([("$ref", .string("#/components/errors/\($0)"))])) })
      object["x-effect"] = .string(request.effect.rawValue)
      object["x-scope"] = .array(request.scope.map { .string($0) })
      if request.isHeavy { object["x-heavy"] = .bool(true) }
      if request.isCancellable { object["x-cancellable"] = .bool(true) }
      if request.reportsProgress { object["x-progress"] = .bool(true) }
      if let item = request.partialItem { object["x-partialItem"] = .string(item.text) }
      if let timeout = request.timeout { object["x-timeoutMs"] = .int(timeout) }
      if let ability = request.requires { object["x-requires"] = .string(ability) }
      if request.whileLocked { object["x-whileLocked"] = .bool(true) }
      if request.isSensitive { object["x-sensitive"] = .bool(true) }
      if let feature = request.feature { object["x-feature"] = .string(feature) }
    }
    object["x-direction"] = .string(message.direction.rawValue)
    object["x-since"] = .int(message.since)
    if let delivery = message.delivery { object["x-delivery"] = .string(delivery) }
    if let build = domain.build { object["x-build"] = .string(build) }
    return .object(object)
  }

  /// All errors by name; the messages of actual responses are more specific.
  private var errors: JSONValue {
    .object(
      JSONObject(
        specification.errors.map { error in
          let data = JSONObject([("name", .string(error.name)), ("retry", .string(error.retry))])
          return (
            error.name,
            .object(
              JSONObject([("code", .int(error.code)), ("message", .string(error.when)), ("data", .object(data))]))
          )
        }))
  }
}
