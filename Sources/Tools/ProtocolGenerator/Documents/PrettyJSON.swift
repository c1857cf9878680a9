import JSON

/// Formats JSON with two spaces a level, and short arrays and objects on one line.
enum PrettyJSON {
  static func text(_ value: JSONValue, level: Int = 0) -> String {
    let compact = String(decoding: value.json, as: UTF8.self)
    if compact.count + level * 2 <= 100 { return compact }
    let indent = String(repeating: "  ", count: level + 1)
    let closing = String(repeating: "  ", count: level)
    switch value {
    case .array(let elements):
      let lines = elements.map { indent + text($0, level: level + 1) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + closing + "]"
    case .object(let object):
      let lines = object.members.map { member in
        indent + String(decoding: member.name.json, as: UTF8.self) + ": " + text(member.value, level: level + 1)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + closing + "}"
    default: return compact
    }
  }
}

// JSON is written in this module as literals.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }
  package init(booleanLiteral flag: Bool) { self = .bool(flag) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(JSONObject(members.map { ($0.0, $0.1) }))
  }

  static func int(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members.map { ($0.0, $0.1) }) }
}
