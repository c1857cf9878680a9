import JSON
import ProtocolModel

/// JSON Schemas (2020-12) of the protocol's types.
struct Schemas {
  func schema(_ type: TypeDefinition) -> JSONValue {
    switch type.kind {
    case .enumeration(let values):
      var members: [JSONObject.Member] = [("type", .string("string")), ("description", .string(type.doc))]
      let names = values.map { JSONValue.string($0.name) }
      members.append((type.isOpen ? "examples" : "enum", .array(names)))
      return .object(JSONObject(members))
    case .structure(let members):
      var result: [JSONObject.Member] = [("type", .string("object")), ("description", .string(type.doc))]
      result.append(("properties", .object(JSONObject(members.map { ($0.name, schema($0)) }))))
      let required = members.filter { !$0.isOptional }.map { JSONValue.string($0.name) }
      if !required.isEmpty { result.append(("required", .array(required))) }
      return .object(JSONObject(result))
    }
  }

  /// The schema of a member, with its description and bounds.
  func schema(_ member: Member) -> JSONValue {
    guard case .object(var object) = schema(member.form ?? member.type) else { return .null }
    object["description"] = .string(member.doc)
    if member.type == .scalar(.int) || member.type == .scalar(.duration) {
      if let minimum = member.minimum { object["minimum"] = .int(minimum) }
      if let maximum = member.maximum { object["maximum"] = .int(maximum) }
    }
    if member.type == .scalar(.decimal) {
      if let minimum = member.minimum { object["x-minimum"] = .string(String(minimum)) }
      if let maximum = member.maximum { object["x-maximum"] = .string(String(maximum)) }
      if let scale = member.scale { object["x-scale"] = .int(scale) }
      object["pattern"] = .string(
        DecimalPattern(minimum: member.minimum, maximum: member.maximum, scale: member.scale).text)
    }
    if let length = member.minimumLength { object["minLength"] = .int(length) }
    if let length = member.maximumLength { object["maxLength"] = .int(length) }
    // A value of any form may also be null.
    guard member.isNullable || member.form != nil else { return .object(object) }
    return .object(
      JSONObject([("oneOf", .array([.object(object), .object(JSONObject([("type", .string("null"))]))]))]))
  }

  func schema(_ type: TypeExpression) -> JSONValue {
    func object(_ members: [JSONObject.Member]) -> JSONValue { .object(JSONObject(members)) }
    switch type {
    case .scalar(.bool): return object([("type", .string("boolean"))])
    case .scalar(.int): return object([("type", .string("integer"))])
    case .scalar(.duration): return object([("type", .string("integer")), ("minimum", .int(0))])
    case .scalar(.number): return object([("type", .string("number"))])
    case .scalar(.string): return object([("type", .string("string"))])
    case .scalar(.id): return object([("type", .string("string")), ("format", .string("uuid"))])
    case .scalar(.date): return object([("type", .string("string")), ("format", .string("date"))])
    case .scalar(.time):
      return object([("type", .string("string")), ("pattern", .string("^([01][0-9]|2[0-3]):[0-5][0-9]$"))])
    case .scalar(.instant): return object([("type", .string("string")), ("format", .string("date-time"))])
    case .scalar(.decimal):
      return object([("type", .string("string")), ("pattern", .string(DecimalPattern().text))])
    case .scalar(.timezone): return object([("type", .string("string")), ("x-format", .string("time-zone"))])
    case .scalar(.token): return object([("type", .array([.string("string"), .string("integer")]))])
    case .scalar(.json): return object([])
    case .named(let name): return object([("$ref", .string("#/components/schemas/\(name)"))])
    case .array(let element): return object([("type", .string("array")), ("items", schema(element))])
    case .map(let element): return object([("type", .string("object")), ("additionalProperties", schema(element))])
    case .null: return object([("type", .string("null"))])
    }
  }
}
