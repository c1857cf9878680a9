import JSON

extension JSONValue {
  /// A member of an object.
  package subscript(_ name: String) -> JSONValue? {
    if case .object(let object) = self { return object[name] }
    return nil
  }

  package var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  package var integer: Int? {
    if case .number(let number) = self { return number.integer }
    return nil
  }

  package var boolean: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  package var array: [JSONValue] {
    if case .array(let values) = self { return values }
    return []
  }

  /// Its JSON text.
  package var text: String { String(decoding: json, as: UTF8.self) }

  /// The id of a response; nil for requests and notifications.
  package var responseID: JSONValue? { self["method"] == nil ? self["id"] : nil }

  /// The method of a request or notification.
  package var method: String? { self["method"]?.string }

  /// The name of a response's error.
  package var errorName: String? { self["error"]?["data"]?["name"]?.string }
}
