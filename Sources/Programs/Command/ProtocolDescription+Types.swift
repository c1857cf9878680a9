import JSON
import TerminalPages

/// Types in words, with their limits.
extension ProtocolDescription {
  /// What values of a schema are, such as “an integer from 0 to 20000”.
  func words(for schema: JSONValue) -> String {
    if schema.list("oneOf").count > 1 { return words(for: resolved(schema)) + ", or null" }
    let schema = resolved(schema)
    let names = values(of: schema)
    if !names.isEmpty { return "one of " + names.joined(separator: ", ") }
    switch schema["type"]?.text {
    case "boolean": return "true or false"
    case "integer":
      return "an integer"
        + limits(schema["minimum"]?.integer.map(String.init), schema["maximum"]?.integer.map(String.init))
    case "number": return "a number"
    case "array": return "an array, each element " + words(for: schema["items"] ?? .null)
    case "object":
      if let value = schema["additionalProperties"] { return "an object, each member " + words(for: value) }
      let members = members(of: schema).map { $0.isRequired ? $0.name : $0.name + "?" }
      return "an object with " + members.joined(separator: ", ")
    case "string": return text(schema)
    default: return schema["type"] == nil ? "any JSON" : "a text or an integer"
    }
  }

  private func text(_ schema: JSONValue) -> String {
    if schema["x-format"] != nil { return "a time zone such as Europe/Berlin" }
    switch schema["format"]?.text {
    case "uuid": return "an id (UUID)"
    case "date": return "a day, YYYY-MM-DD"
    case "date-time": return "an instant such as 2026-01-05T12:00:00Z"
    default: break
    }
    if let pattern = schema["pattern"]?.text {
      guard !pattern.hasPrefix("^([01]") else { return "a time, HH:MM" }
      let scale = schema["x-scale"]?.integer.map { ", at most \($0) digits after the point" }
      return "a decimal number as text" + limits(schema["x-minimum"]?.text, schema["x-maximum"]?.text) + (scale ?? "")
    }
    switch (schema["minLength"]?.integer, schema["maxLength"]?.integer) {
    case (let least?, let most?) where least == most: return "a text of \(least) characters"
    case (let least?, let most?): return "a text of \(least) to \(most) characters"
    case (let least?, nil): return "a text of at least \(least) characters"
    case (nil, let most?): return "a text of at most \(most) characters"
    case (nil, nil): return "a text"
    }
  }

  private func limits(_ least: String?, _ most: String?) -> String {
    switch (least, most) {
    case (let least?, let most?): " from \(least) to \(most)"
    case (let least?, nil): " of at least \(least)"
    case (nil, let most?): " of at most \(most)"
    case (nil, nil): ""
    }
  }

  /// The values of an enumeration, known or all; none of other types.
  func values(of schema: JSONValue) -> [String] {
    let schema = resolved(schema)
    guard schema["type"]?.text == "string" else { return [] }
    return (schema.list("enum") + schema.list("examples")).compactMap(\.text)
  }

  /// A value of a schema with its required members; `hint` is the value of an enumeration that has it.
  func sample(of schema: JSONValue, hint: String? = nil) -> JSONValue {
    let schema = resolved(schema)
    let names = values(of: schema)
    if let name = names.first(where: { $0 == hint }) ?? names.first { return .string(name) }
    switch schema["type"]?.text {
    case "boolean": return .bool(true)
    case "integer", "number": return .number(JSONNumber(max(1, schema["minimum"]?.integer ?? 1)))
    case "array": return .array([sample(of: schema["items"] ?? .null, hint: hint)])
    case "object":
      let members = members(of: schema)
      let needed = members.contains(where: \.isRequired) ? members.filter(\.isRequired) : Array(members.prefix(1))
      return .object(JSONObject(needed.map { ($0.name, sample(of: $0.schema, hint: hint)) }))
    default: break
    }
    switch schema["format"]?.text {
    case "uuid": return .string("00000000-0000-4000-8000-000000000000")
    case "date": return .string("2026-01-05")
    case "date-time": return .string("2026-01-05T12:00:00Z")
    default: break
    }
    guard let pattern = schema["pattern"]?.text else { return .string("text") }
    return .string(pattern.hasPrefix("^([01]") ? "08:30" : "1")
  }
}
