import JSON
import ProtocolModel

/// JSON Schemas (2020-12) of the protocol's types.
struct Schemas {
  func schema(_ type: TypeDefinition) -> JSONValue {
    switch type.kind {
    case .enumeration(let values):
      let names = JSONValue.array(values.map { .string($0.name) })
      return ["type": "string", "description": .string(type.doc), (type.isOpen ? "examples" : "enum"): names]
    case .structure(let members):
      var result: JSONObject = ["type": "object", "description": .string(type.doc)]
      result["properties"] = .object(JSONObject(members.map { ($0.name, schema($0)) }))
      let required = members.filter { !$0.isOptional }.map { JSONValue.string($0.name) }
      if !required.isEmpty { result["required"] = .array(required) }
      return .object(result)
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
    // Any JSON includes null. With a form, a value may also be null.
    guard member.form != nil || (member.isNullable && member.type != .scalar(.json)) else { return .object(object) }
    return ["oneOf": [.object(object), ["type": "null"]]]
  }

  func schema(_ type: TypeExpression) -> JSONValue {
    switch type {
    case .scalar(.bool): ["type": "boolean"]
    case .scalar(.int): ["type": "integer"]
    case .scalar(.duration): ["type": "integer", "minimum": .int(0)]
    case .scalar(.number): ["type": "number"]
    case .scalar(.string): ["type": "string"]
    case .scalar(.id): ["type": "string", "format": "uuid"]
    case .scalar(.date): ["type": "string", "format": "date"]
    case .scalar(.time): ["type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"]
    case .scalar(.instant): ["type": "string", "format": "date-time"]
    case .scalar(.decimal): ["type": "string", "pattern": .string(DecimalPattern().text)]
    case .scalar(.timezone): ["type": "string", "x-format": "time-zone"]
    case .scalar(.token): ["type": ["string", "integer"]]
    case .scalar(.json): [:]
    case .named(let name): ["$ref": .string("#/components/schemas/\(name)")]
    case .array(let element): ["type": "array", "items": schema(element)]
    case .map(let element): ["type": "object", "additionalProperties": schema(element)]
    case .null: ["type": "null"]
    }
  }
}
