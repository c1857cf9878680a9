import JSON
import TerminalPages
import Values

/// `daybook methods` and `daybook help METHOD`.
enum MethodHelp {
  /// The methods whose name or text contains all words; nil when there is none.
  static func list(_ words: [String]) -> String? {
    let wanted = words.map { $0.lowercased() }
    let found = ProtocolDescription().methods.filter { method in
      let text = (method.name + " " + method.text).lowercased()
      return wanted.allSatisfy { text.contains(text: $0) }
    }
    guard !found.isEmpty else { return nil }
    var page = HelpPage(width: HelpTexts.width)
    page.rows(found.map { ($0.name, $0.sentence) })
    return page.text
  }

  /// The help on a method; nil for an unknown one.
  static func text(
    _ name: String, in description: ProtocolDescription = ProtocolDescription(), width: Int = HelpTexts.width
  ) -> String? {
    guard let method = description.method(name) else { return nil }
    var page = HelpPage(width: width)
    page.paragraph("\(method.name): \(method.text)")
    page.section("USAGE")
    let needed = method.params.filter(\.isRequired).map { " " + assignment(to: $0, description) }.joined()
    page.lines(["daybook call \(method.name)" + needed + (needed.isEmpty ? " [KEY=VALUE…]" : " …")])
    page.section("PARAMS", method.params.map { row($0, description) })
    for param in method.params {
      let items = description.resolved(param.schema)["items"] ?? param.schema
      let members = description.members(of: items)
      if !members.isEmpty { page.section("MEMBERS OF \(param.name)", members.map { row($0, description) }) }
    }
    page.section("EXAMPLE")
    example(of: method, description, on: &page)
    page.section("ERRORS", method.errors.map { ($0, description.error($0)) })
    page.section("EVENTS", method.events.map { ($0, "after a change of such a record") })
    return page.text
  }

  private static func row(_ member: DescribedMember, _ description: ProtocolDescription) -> (String, String) {
    let need = member.isRequired ? "required; " : ""
    return (member.name, "\(need)\(description.words(for: member.schema)). \(member.text)")
  }

  /// How a value of a param is written.
  private static func assignment(to member: DescribedMember, _ description: ProtocolDescription) -> String {
    member.name + (description.isStructured(member.schema) ? ":=JSON" : "=VALUE")
  }

  /// Adds a call as it is typed into a shell: an example of the protocol, else one made from the types.
  private static func example(
    of method: DescribedMethod, _ description: ProtocolDescription, on page: inout HelpPage
  ) {
    var params = method.example
    for param in method.params where param.isRequired && params[param.name] == nil {
      params[param.name] = description.sample(of: param.schema)
    }
    var words = params.words
    // What is wider than a line is no help.
    if words.contains(where: { $0.count > 70 }) {
      words =
        JSONObject(
          method.params.filter(\.isRequired).map { ($0.name, description.sample(of: $0.schema)) }
        ).words
    }
    page.command(["daybook call \(method.name)"] + words)
  }
}

extension JSONObject {
  /// The members as `daybook call` takes them.
  fileprivate var words: [String] {
    members.map { member in
      switch member.value {
      case .string(let text): "\(member.name)=\(text.quotedForShell)"
      case .number, .bool: "\(member.name)=\(String(decoding: member.value.json, as: UTF8.self))"
      default: "\(member.name):=\(String(decoding: member.value.json, as: UTF8.self).quotedForShell)"
      }
    }
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var quotedForShell: String {
    let isPlain = utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x2B && $0 <= 0x3A || $0 == 0x5F }
    return isPlain && !isEmpty ? self : inApostrophes
  }

  /// The text between apostrophes of a shell.
  var inApostrophes: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension ProtocolDescription {
  /// Whether values are objects, arrays of them, or any JSON, which only `:=` can give.
  func isStructured(_ schema: JSONValue) -> Bool {
    let schema = resolved(schema)
    switch schema["type"]?.text {
    case "object": return true
    case "array": return isStructured(schema["items"] ?? .null)
    case nil: return schema["type"] == nil
    default: return false
    }
  }
}
