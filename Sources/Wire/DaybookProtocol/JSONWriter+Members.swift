import CivilTime
import JSON
import Values

/// Writes members, a name and its value; out of line, so that encoders stay short.
extension JSONWriter {
  /// Writes a member.
  @inline(never)
  package mutating func pair<Value: JSONEncodable>(_ name: MemberName, _ value: Value) {
    pair(name)
    value.encode(to: &self)
  }

  /// Writes a member unless its value is nil.
  @inline(never)
  package mutating func pair<Value: JSONEncodable>(_ name: MemberName, _ value: Value?) {
    guard let value else { return }
    pair(name)
    value.encode(to: &self)
  }

  /// Writes a member, with null for nil.
  @inline(never)
  package mutating func nullable<Value: JSONEncodable>(_ name: MemberName, _ value: Value?) {
    if let value { pair(name, value) } else { pair(name, Null()) }
  }

  /// Writes a member that may be absent or null.
  @inline(never)
  package mutating func pair<Value: JSONEncodable>(_ name: MemberName, _ value: Presence<Value>) {
    switch value {
    case .absent: break
    case .null: pair(name, Null())
    case .value(let value): pair(name, value)
    }
  }

  // MARK: short values, for speed

  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: EntityID) {
    pair(name, room: 36) { target in
      value.write(to: target)
      return 36
    }
  }

  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: CivilDay) {
    pair(name, room: 10) { target in
      value.write(to: target)
      return 10
    }
  }

  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: WallTime) {
    pair(name, room: 5) { target in
      value.write(to: target)
      return 5
    }
  }

  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: Instant) {
    pair(name, room: Instant.textLength) { target in
      value.write(to: target)
      return Instant.textLength
    }
  }

  @_optimize(speed)
  @inline(never)
  package mutating func pair(_ name: MemberName, _ value: Decimal) {
    pair(name, room: Decimal.maximumTextLength) { value.write(to: $0) }
  }

  @inline(__always)
  package mutating func pair(_ name: MemberName, _ value: TimeZoneName) { pair(name, value.text) }
}
