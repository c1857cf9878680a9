import JSON

/// Writing a member, its name and its value: what encoders call, out of line so that each of them stays short.
extension JSONWriter {
  @inline(never)
  package mutating func member<Value: JSONEncodable>(_ name: StaticString, _ value: Value) {
    self.name(name)
    value.encode(to: &self)
  }

  /// A member that is absent when it has no value.
  @inline(never)
  package mutating func member<Value: JSONEncodable>(_ name: StaticString, _ value: Value?) {
    guard let value else { return }
    self.name(name)
    value.encode(to: &self)
  }

  /// A member that is null when it has no value.
  @inline(never)
  package mutating func nullable<Value: JSONEncodable>(_ name: StaticString, _ value: Value?) {
    if let value { member(name, value) } else { member(name, Null()) }
  }

  @inline(never)
  package mutating func member<Value: JSONEncodable>(_ name: StaticString, _ value: Presence<Value>) {
    switch value {
    case .absent: break
    case .null: member(name, Null())
    case .value(let value): member(name, value)
    }
  }
}
