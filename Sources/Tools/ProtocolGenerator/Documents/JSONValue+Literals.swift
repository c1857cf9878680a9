import JSON

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
