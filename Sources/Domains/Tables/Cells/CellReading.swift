/// What a cell can be read as.
package enum CellReading<Value: Sendable & Equatable>: Sendable, Equatable {
  /// This and nothing else.
  case value(Value)
  /// One or the other, and nothing tells which.
  case ambiguous(Value, Value)
  /// Nothing of its kind.
  case invalid
}

extension CellReading {
  /// The readings there are.
  package var readings: [Value] {
    switch self {
    case .value(let value): [value]
    case .ambiguous(let first, let second): [first, second]
    case .invalid: []
    }
  }
}
