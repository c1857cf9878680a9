import JSON
import ProtocolModel

/// What a scalar looks like on the wire, narrowed by the member it stands in.
struct ScalarForm {
  /// The integers that every client holds exactly.
  static let safe = 9_007_199_254_740_991

  /// The scalar.
  let scalar: Scalar
  /// The member that narrows it, if any.
  let bounds: Member?

  /// The form of a scalar.
  init(_ scalar: Scalar, _ bounds: Member?) {
    self.scalar = scalar
    self.bounds = bounds
  }

  /// What would have been right, when a value is not.
  func expectation(unmetBy value: JSONValue) -> String? {
    switch (scalar, value) {
    case (.json, _), (.bool, .bool): nil
    case (.number, .number(let number)):
      (Double(number.lexeme)?.isFinite ?? false) ? nil : "a finite number"
    case (.int, .number(let number)): integer(number, from: -ScalarForm.safe)
    case (.duration, .number(let number)): integer(number, from: 0)
    case (.string, .string(let text)): length(text)
    case (.id, .string(let text)): TextForm.isUUID(text) ? nil : "a UUID in lower case"
    case (.date, .string(let text)): TextForm.isDate(text) ? nil : "a civil day, YYYY-MM-DD"
    case (.time, .string(let text)): TextForm.isTime(text) ? nil : "a time of day, HH:MM"
    case (.instant, .string(let text)): TextForm.isInstant(text) ? nil : "an instant in UTC with milliseconds"
    case (.timezone, .string(let text)): TextForm.isTimeZone(text) ? nil : "the name of a time zone"
    case (.decimal, .string(let text)): decimal(text)
    case (.token, .string): nil
    case (.token, .number(let number)): NumberValue(number).isInteger ? nil : "a string or an integer"
    default: "a value of the kind “\(scalar.rawValue)”"
    }
  }

  /// An integer within its bounds.
  private func integer(_ number: JSONNumber, from least: Int) -> String? {
    let range = max(least, bounds?.minimum ?? least)...max(least, bounds?.maximum ?? ScalarForm.safe)
    if let value = number.integer, range.contains(value) { return nil }
    return "an integer from \(range.lowerBound) to \(range.upperBound)"
  }

  /// Text within its length in scalars.
  private func length(_ text: String) -> String? {
    let count = text.unicodeScalars.count
    if let least = bounds?.minimumLength, count < least { return "\(least) characters or more" }
    if let most = bounds?.maximumLength, count > most { return "at most \(most) characters" }
    return nil
  }

  /// `-?digits(.digits)?` without a zero too many in front, within its bounds, which are whole.
  private func decimal(_ text: String) -> String? {
    let expected = "a decimal number as text"
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
      .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(TextForm.isDigit) }),
      whole.count == 1 || whole.first != UInt8(ascii: "0")
    else { return expected }
    let fraction = parts.count > 1 ? Array(parts[1]) : []
    if let scale = bounds?.scale, fraction.count > scale { return "\(expected) with at most \(scale) fraction digits" }
    let magnitude = Int(String(decoding: Array(whole), as: UTF8.self)) ?? Int.max
    let hasFraction = fraction.contains { $0 != UInt8(ascii: "0") }
    let isAbove = hasFraction && !isNegative
    let isBelow = hasFraction && isNegative
    let truncated = isNegative ? -magnitude : magnitude
    if let least = bounds?.minimum, truncated < least || (truncated == least && isBelow) { return "\(least) or more" }
    if let most = bounds?.maximum, truncated > most || (truncated == most && isAbove) { return "at most \(most)" }
    return nil
  }
}
