/// Reads command-line arguments one by one; `--name=value` and `--name value` are equivalent.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private var argument = ""
  private var inlineValue: String?

  init(_ arguments: [String]) { rest = arguments[...] }

  /// The name of the next option, or the next operand; nil at the end.
  mutating func next() -> String? {
    guard let argument = rest.popFirst() else { return nil }
    self.argument = argument
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard argument.hasPrefix("-"), parts.count == 2 else {
      inlineValue = nil
      return argument
    }
    inlineValue = parts[1]
    return parts[0]
  }

  /// The value of the current option.
  mutating func value() throws(BenchError) -> String {
    if let inlineValue { return inlineValue }
    guard let next = rest.popFirst() else { throw .usage("\(argument) needs a value") }
    return next
  }

  /// The value of the current option as a number.
  mutating func number(_ range: ClosedRange<Int>) throws(BenchError) -> Int {
    let text = try value()
    guard let number = Int(text), range.contains(number) else {
      throw .usage("\(argument) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
    }
    return number
  }
}
