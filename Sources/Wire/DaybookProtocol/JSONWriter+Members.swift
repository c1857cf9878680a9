import CivilTime
import JSON
import Values

/// Writing a member, its name and its value: what encoders call, out of line so that each of them stays short.
extension JSONWriter {
  /// A member of any type.
  @inline(never)
  package mutating func pair<Value: JSONEncodable>(_ name: MemberName, _ value: Value) {
    pair(name)
    value.encode(to: &self)
  }

  /// A member that is absent when it has no value.
  @inline(never)
  package mutating func pair<Value: JSONEncodable>(_ name: MemberName, _ value: Value?) {
    guard let value else { return }
    pair(name)
    value.encode(to: &self)
  }

  /// A member that is null when it has no value.
  @inline(never)
  package mutating func nullable<Value: JSONEncodable>(_ name: MemberName, _ value: Value?) {
    if let value { pair(name, value) } else { pair(name, Null()) }
  }

  /// A member that may be absent or null.
  @inline(never)
  package mutating func pair<Value: JSONEncodable>(_ name: MemberName, _ value: Presence<Value>) {
    switch value {
    case .absent: break
    case .null: pair(name, Null())
    case .value(let value): pair(name, value)
    }
  }

  // MARK: values of a few bytes, for speed

  /// A member that is an id.
  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: EntityID) {
    pair(name, room: 36) { target in
      value.write(to: target)
      return 36
    }
  }

  /// A member that is a day.
  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: CivilDay) {
    pair(name, room: 10) { target in
      value.write(to: target)
      return 10
    }
  }

  /// A member that is a time of day.
  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: WallTime) {
    pair(name, room: 5) { target in
      value.write(to: target)
      return 5
    }
  }

  /// A member that is an instant.
  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: Instant) {
    pair(name, room: Instant.textLength) { target in
      value.write(to: target)
      return Instant.textLength
    }
  }

  /// A member that is a decimal number.
  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: Decimal) {
    pair(name, room: Decimal.maximumTextLength) { value.write(to: $0) }
  }

  /// A member that is a time zone.
  @inline(__always)
  package mutating func pair(_ name: MemberName, _ value: TimeZoneName) { pair(name, value.text) }
}
