extension JSONValue {
  /// The text with two spaces a level; arrays and objects that fit into a line of `width` bytes stand on one.
  package func indented(width: Int, level: Int = 0) -> String {
    let compact = json
    if compact.count + level * 2 <= width { return String(decoding: compact, as: UTF8.self) }
    let indent = String(repeating: "  ", count: level + 1)
    let closing = String(repeating: "  ", count: level)
    switch self {
    case .array(let elements):
      let lines = elements.map { indent + $0.indented(width: width, level: level + 1) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + closing + "]"
    case .object(let object):
      let lines = object.members.map { member in
        indent + String(decoding: member.name.json, as: UTF8.self) + ": "
          + member.value.indented(width: width, level: level + 1)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + closing + "}"
    default: return String(decoding: compact, as: UTF8.self)
    }
  }
}
