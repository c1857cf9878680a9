import JSON
import Platform
import TerminalPages

/// The params of a call as words: `calories=350`, and `schedule:={"kind":"daily"}` for any JSON.
struct CallParams {
  private struct Assignment {
    let name: String
    let value: String
    let isJSON: Bool

    /// Nil for a word of another form.
    init?(_ word: String) {
      guard let equals = word.firstIndex(of: "=") else { return nil }
      var name = word[..<equals]
      isJSON = name.hasSuffix(":")
      if isJSON { name.removeLast() }
      let isName = name.utf8.allSatisfy {
        $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F
      }
      guard isName, !name.isEmpty else { return nil }
      self.name = String(name)
      value = String(word[word.index(after: equals)...])
    }
  }

  private let assignments: [Assignment]

  /// Nil unless all words are assignments.
  init?(_ words: [String]) {
    let assignments = words.compactMap(Assignment.init)
    guard assignments.count == words.count, !words.isEmpty else { return nil }
    self.assignments = assignments
  }

  /// The params by the types of the method; all text for an unknown one. A repeated name adds an element to an array.
  ///
  /// - Parameter day: The day that a word names, as it is sent.
  func object(
    for method: DescribedMethod?, _ description: ProtocolDescription, day: (String) -> String?
  ) throws(UsageError) -> JSONObject {
    var params = JSONObject()
    for assignment in assignments {
      let name = assignment.name
      let schema = method?.params.first { $0.name == name }?.schema
      var value: JSONValue
      if assignment.isJSON {
        do throws(JSONError) { value = try JSONValue(json: Array(assignment.value.utf8)) } catch {
          throw UsageError(message: "\(name) is not JSON: \(error)")
        }
      } else if let schema, description.isStructured(schema) {
        let sample = String(decoding: description.sample(of: schema, hint: assignment.value).json, as: UTF8.self)
        throw UsageError(
          message: "\(name) is \(description.words(for: schema)); write it as JSON: \(name):='\(sample)'")
      } else {
        value = CallParams.value(assignment.value, schema.map(description.resolved) ?? .null, description, day)
      }
      switch (params[name], value) {
      case (.array(let old)?, .array(let new)): value = .array(old + new)
      case (nil, _): break
      default: throw UsageError(message: "\(name) is given twice")
      }
      params[name] = value
    }
    return params
  }

  /// A value by its type; a text that is no such value is sent as it is, and refused with what is expected.
  private static func value(
    _ text: String, _ schema: JSONValue, _ description: ProtocolDescription, _ day: (String) -> String?
  ) -> JSONValue {
    switch schema["type"]?.text {
    case "array":
      let items = description.resolved(schema["items"] ?? .null)
      // A free text may have commas.
      let isFree = items["type"]?.text == "string" && description.values(of: items).isEmpty && items["format"] == nil
      let parts = isFree ? [text] : text.split(separator: ",").map(String.init)
      return .array(parts.map { value($0, items, description, day) })
    case "boolean":
      return ["true", "yes"].contains(text)
        ? .bool(true) : ["false", "no"].contains(text) ? .bool(false) : .string(text)
    case "integer", "number":
      if case .number(let number)? = try? JSONValue(json: Array(text.utf8)) { return .number(number) }
      return .string(text)
    default: return .string(schema["format"]?.text == "date" ? day(text) ?? text : text)
    }
  }

  /// The params with an absolute `path`: one may be relative, or begin with `~/`.
  static func locating(_ params: JSONObject) -> JSONObject {
    guard case .string(let path)? = params["path"], !path.isEmpty, !path.hasPrefix("/") else { return params }
    var params = params
    if path.hasPrefix("~/"), let home = Processes.environment("HOME") {
      params["path"] = .string(home + path.dropFirst())
    } else if let folder = Processes.currentFolder {
      params["path"] = .string(folder + "/" + path)
    }
    return params
  }
}
