/// The interpretation of a cell.
package enum CellReading<Value: Sendable & Equatable>: Sendable, Equatable {
  case value(Value)
  /// Two interpretations that nothing decides between.
  case ambiguous(Value, Value)
  case invalid

  package var readings: [Value] {
    switch self {
    case .value(let value): [value]
    case .ambiguous(let first, let second): [first, second]
    case .invalid: []
    }
  }
}
