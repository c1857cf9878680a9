import DaybookProtocol
import JSON
import TerminalPages
import TextPacking

/// The protocol as this program knows it: the document that “rpc.discover” answers.
struct ProtocolDescription {
  /// JSON that is read when it is asked for.
  private struct Unread: JSONDecodable {
    init(from reader: inout JSONReader) throws(JSONError) { try reader.skipValue() }
  }

  /// The descriptions of methods, in the order of the protocol.
  private var texts: [JSONFragment<Unread>] = []
  /// The descriptions of types and errors by their names.
  private var schemas: [String: JSONFragment<Unread>] = [:]
  private var errors: [String: JSONFragment<Unread>] = [:]

  init() {
    let packed = OpenRPCDocument.packed
    let text = PackedText.unpack(UnsafeBufferPointer(start: packed.utf8Start, count: packed.utf8CodeUnitCount))
    // The document is part of the program, so it can be read; without it nothing is described.
    try? JSONReader.read(text ?? []) { reader throws(JSONError) in try read(&reader) }
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      switch reader.memberName {
      case "methods": texts = try reader.array(of: JSONFragment<Unread>.self)
      case "components":
        var components = try reader.beginObject()
        while try reader.nextMember(&components) {
          let areErrors = reader.memberName == "errors"
          var members = try reader.beginObject()
          while try reader.nextMember(&members) {
            let name = reader.memberName
            let text = try JSONFragment<Unread>(from: &reader)
            if areErrors { errors[name] = text } else { schemas[name] = text }
          }
        }
      default: try reader.skipValue()
      }
    }
  }

  /// The methods that a client can request.
  var methods: [DescribedMethod] {
    texts.compactMap { text in
      guard let value = try? JSONValue(json: Array(text.bytes)), value["x-effect"] != nil,
        value.text("x-direction") != "serverToClient"
      else { return nil }
      return DescribedMethod(value)
    }
  }

  /// The method named `name`, if a client can request it.
  func method(_ name: String) -> DescribedMethod? {
    // The name is the first member.
    let start = Array("{\"name\":\"\(name)\",".utf8)
    guard let text = texts.first(where: { $0.bytes.starts(with: start) }),
      let value = try? JSONValue(json: Array(text.bytes)), value["x-effect"] != nil
    else { return nil }
    return DescribedMethod(value)
  }

  /// When an error comes, and what to do then.
  func error(_ name: String) -> String {
    guard let text = errors[name], let value = try? JSONValue(json: Array(text.bytes)) else { return "" }
    switch value["data"]?.text("retry") {
    case "afterFix": return value.text("message") + " Correct it and call again."
    case "later": return value.text("message") + " Call again later."
    default: return value.text("message")
    }
  }

  /// A schema without references and without “or null”.
  func resolved(_ schema: JSONValue) -> JSONValue {
    if let first = schema.list("oneOf").first { return resolved(first) }
    guard let name = schema["$ref"]?.text?.split(separator: "/").last, let text = schemas[String(name)],
      let value = try? JSONValue(json: Array(text.bytes))
    else { return schema }
    return value
  }

  /// The members of an object's schema.
  func members(of schema: JSONValue) -> [DescribedMember] {
    let schema = resolved(schema)
    guard case .object(let properties)? = schema["properties"] else { return [] }
    let required = schema.list("required")
    return properties.members.map {
      DescribedMember(
        name: $0.name, text: $0.value.text("description"), isRequired: required.contains(.string($0.name)),
        schema: $0.value)
    }
  }
}

/// A method as the protocol describes it.
struct DescribedMethod {
  let name: String
  let text: String
  let params: [DescribedMember]
  let errors: [String]
  let events: [String]
  /// The params of a literal call.
  let example: JSONObject

  init(_ value: JSONValue) {
    name = value.text("name")
    text = value.text("description")
    params = value.list("params").map {
      DescribedMember(
        name: $0.text("name"), text: $0.text("description"), isRequired: $0["required"]?.isTrue == true,
        schema: $0["schema"] ?? .null)
    }
    errors = value.list("errors").compactMap { $0["$ref"]?.text?.split(separator: "/").last.map(String.init) }
    let touchesAll = value.text("x-effect") == "write" && value.list("x-scope").contains(.string("*"))
    events = value.list("x-events").compactMap(\.text) + (touchesAll ? ["…Changed"] : [])
    example = JSONObject(
      value.list("examples").first?.list("params").map { ($0.text("name"), $0["value"] ?? .null) } ?? [])
  }

  /// The first sentence about it.
  var sentence: String {
    let words = text.split(separator: " ")
    let end = words.firstIndex { $0.hasSuffix(".") && $0.utf8.count > 2 } ?? words.endIndex
    return words.prefix(through: min(end, words.endIndex - 1)).joined(separator: " ")
  }
}

/// A param of a method, or a member of an object.
struct DescribedMember {
  let name: String
  let text: String
  let isRequired: Bool
  let schema: JSONValue
}
