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

extension JSONValue {
  static func int(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}
