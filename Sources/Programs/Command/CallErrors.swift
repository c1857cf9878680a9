import JSON
import TerminalPages

/// Refusals of `daybook call` that teach the shape of the params.
struct CallErrors {
  let description: ProtocolDescription
  let method: DescribedMethod
  let params: JSONValue

  /// The error of a call, explained if the protocol describes its place.
  static func explained(_ json: [UInt8], method: String, params: JSONValue) -> [UInt8] {
    guard case .object(let error)? = try? JSONValue(json: json), error["data"]?.text("name") == "invalidParams"
    else { return json }
    let description = ProtocolDescription()
    guard let method = description.method(method) else { return json }
    return JSONValue.object(
      CallErrors(description: description, method: method, params: params).explained(error)
    ).json
  }

  /// What is at a place of the params.
  private struct Place {
    /// The members of the object that it is in.
    let members: [DescribedMember]
    let object: JSONValue
    let name: String

    var member: DescribedMember? { members.first { $0.name == name } }
    var value: JSONValue? { object[name] }
  }

  /// The error with what is missing, expected, or near.
  func explained(_ error: JSONObject) -> JSONObject {
    guard case .object(var data)? = error["data"], let pointer = data["pointer"]?.text, let place = place(pointer)
    else { return error }
    var error = error
    let label = "params" + pointer.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    if let member = place.member {
      guard let value = place.value else {
        let missing = place.members.filter { $0.isRequired && place.object[$0.name] == nil }
        guard member.isRequired else {
          if data["allowed"] == nil { data["allowed"] = .string(description.words(for: member.schema)) }
          error["data"] = .object(data)
          return error
        }
        let list = missing.map { "“\($0.name)” (\(description.words(for: $0.schema)))" }.joined(separator: ", ")
        error["message"] = .string(
          "\(label): \(missing.count == 1 ? "the member \(list) is" : "the members \(list) are") missing")
        return error
      }
      let schema = description.resolved(member.schema)
      if schema["type"]?.text == "object" {
        guard case .object = value else { return expecting(schema, value, label + "/" + place.name, error, data) }
      }
      return error
    }
    if let near = place.members.first(where: { isMeant($0, by: place) }) {
      data["hint"] = .string("did you mean “\(near.name)”, \(description.words(for: near.schema))?")
      error["data"] = .object(data)
    }
    return error
  }

  /// The error for a value that is no object: its members and an example.
  private func expecting(
    _ schema: JSONValue, _ value: JSONValue, _ label: String, _ error: JSONObject, _ data: JSONObject
  ) -> JSONObject {
    let example = String(decoding: description.sample(of: schema, hint: value.text).json, as: UTF8.self)
    let members = description.members(of: schema).map {
      "\($0.name)\($0.isRequired ? "" : "?") (\(description.words(for: $0.schema)))"
    }
    var (error, data) = (error, data)
    let expected =
      members.isEmpty ? description.words(for: schema) : "an object with " + members.joined(separator: ", ")
    error["message"] = .string("\(label): expected \(expected)")
    data["allowed"] = .string(description.words(for: schema))
    data["hint"] = .string("such as \(example)")
    error["data"] = .object(data)
    return error
  }

  /// Whether a wrong name may mean a member: its text has the name as a word, and it takes such a value.
  private func isMeant(_ member: DescribedMember, by place: Place) -> Bool {
    guard place.object[member.name] == nil else { return false }
    let words = member.text.lowercased().split { !$0.isLetter }
    guard words.contains(Substring(place.name.lowercased())) else { return false }
    switch place.value {
    case .object?, .array?: return description.isStructured(member.schema)
    default: return !description.isStructured(member.schema)
    }
  }

  /// Finds a place by its JSON Pointer; nil for the params themselves and for what has no described members.
  private func place(_ pointer: String) -> Place? {
    let tokens = pointer.split(separator: "/").map(String.init)
    guard let last = tokens.last else { return nil }
    var members = method.params
    var value = params
    for token in tokens.dropLast() {
      if case .array(let elements) = value {
        guard let index = Int(token), elements.indices.contains(index) else { return nil }
        value = elements[index]
        continue
      }
      guard let member = members.first(where: { $0.name == token }), let inner = value[token] else { return nil }
      let schema = description.resolved(member.schema)
      members = description.members(of: schema["items"] ?? schema)
      value = inner
    }
    return members.isEmpty ? nil : Place(members: members, object: value, name: last)
  }
}
