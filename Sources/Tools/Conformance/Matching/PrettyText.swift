import JSON

/// JSON for people.
package enum PrettyText {
  /// On one line, cut short if it is long.
  package static func short(_ value: JSONValue, limit: Int = 200) -> String {
    let text = String(decoding: value.json, as: UTF8.self)
    return text.count <= limit ? text : text.prefix(limit) + "…"
  }

  /// Two spaces a level, what is short on one line, nothing past a number of lines.
  package static func full(_ value: JSONValue, lines: Int = 60) -> String {
    let all = text(value, level: 0).split(separator: "\n", omittingEmptySubsequences: false)
    guard all.count > lines else { return all.joined(separator: "\n") }
    return all.prefix(lines).joined(separator: "\n") + "\n… \(all.count - lines) lines more"
  }

  /// The text at a level of indentation.
  private static func text(_ value: JSONValue, level: Int) -> String {
    let compact = String(decoding: value.json, as: UTF8.self)
    if compact.utf8.count + level * 2 <= 100 { return compact }
    let indent = String(repeating: "  ", count: level + 1)
    let closing = String(repeating: "  ", count: level)
    switch value {
    case .array(let elements):
      return "[\n" + elements.map { indent + text($0, level: level + 1) }.joined(separator: ",\n") + "\n\(closing)]"
    case .object(let object):
      let lines = object.members.map { member in
        indent + String(decoding: member.name.json, as: UTF8.self) + ": " + text(member.value, level: level + 1)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(closing)}"
    default: return compact.count <= 2000 ? compact : compact.prefix(2000) + "…"
    }
  }
}
