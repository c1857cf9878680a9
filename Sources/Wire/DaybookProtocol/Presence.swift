/// A member that may be absent, null or a value: leave, clear or set.
package enum Presence<Value> {
  case absent
  case null
  case value(Value)

  /// The updated value of a member.
  package func applied(to current: Value?) -> Value? {
    switch self {
    case .absent: current
    case .null: nil
    case .value(let value): value
    }
  }

  /// The value, if there is one.
  package var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}

extension Presence: Sendable where Value: Sendable {}
extension Presence: Equatable where Value: Equatable {}
