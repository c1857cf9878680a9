import Values

/// A number as people type it: ASCII digits with at most one point or comma between them.
package struct EntryNumber: Equatable, Sendable {
  /// The value, with the point or comma as decimal separator.
  package let value: Decimal
  /// The value with the point or comma as group separator, if it can be one: `1.234` is 1.234 or 1234.
  package let grouped: Decimal?
  /// The point or comma; empty without one.
  package let separator: String

  package init?(_ text: some StringProtocol) {
    var digits = ""
    var whole: Int?
    var separator = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "."), UInt8(ascii: ","):
        guard whole == nil, !digits.isEmpty else { return nil }
        whole = digits.utf8.count
        separator = byte == UInt8(ascii: ".") ? "." : ","
      default: return nil
      }
    }
    let count = digits.utf8.count
    guard count > 0, whole != count, count <= 15, let all = Int64(digits) else { return nil }
    let scale = whole.map { count - $0 } ?? 0
    guard let value = Decimal(significand: all, scale: scale) else { return nil }
    self.value = value
    self.separator = separator
    let canGroup = scale == 3 && (1...3).contains(whole ?? 0) && digits.first != "0"
    grouped = canGroup ? Decimal(all) : nil
  }

  /// The value if it is whole.
  package var integer: Int? { value.units(ofScale: 0).map { Int($0) } }

  /// The value as energy in whole kcal; nil for a part of one.
  package func kilocalories(_ unit: EntryUnit) -> Int? {
    guard unit == .kj else { return integer }
    return value.multiplied(by: 1000, over: 4184, roundedTo: 0).map { Int($0.significand) }
  }

  /// Throws when there is another reading.
  package func check() throws(EntryProblem) {
    if let grouped { throw EntryProblem("the number is \(value) or \(grouped)", number: self) }
  }
}

/// Why a line cannot be read.
package struct EntryProblem: Error, Equatable, Sendable {
  package let message: String
  /// The form to write instead.
  package var hint: String?
  /// The number that has two readings.
  package var number: EntryNumber?

  package init(_ message: String, hint: String? = nil, number: EntryNumber? = nil) {
    self.message = message
    self.hint = hint
    self.number = number
  }
}
