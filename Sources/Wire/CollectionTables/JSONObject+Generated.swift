import JSON

extension JSONObject {
  /// An object whose text was generated.
  package init(generated text: StaticString) {
    let value = text.withUTF8Buffer { try? JSONValue(json: UnsafeRawBufferPointer($0)) }
    if case .object(let object)? = value { self = object } else { self.init() }
  }
}
