import CivilTime

extension MonthKey {
  /// The text for undated records.
  static let allText = "all"

  /// The partition of undated records.
  static let all = MonthKey(nil)

  /// Parses `yyyy-mm`, 0001-01 to 9999-12, or `all` for undated records; nil for anything else.
  init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 7, text[4] == UInt8(ascii: "-") else {
      guard text.elementsEqual(MonthKey.allText.utf8) else { return nil }
      self = .all
      return
    }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for index in range {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value &* 10 &+ Int(digit)
      }
      return value
    }
    guard let year = number(0..<4), year > 0, let month = number(5..<7), (1...12).contains(month) else { return nil }
    self.init(year: year, month: month)
  }

  /// Parses the same text from a string.
  init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let month = text.withUTF8({ MonthKey(utf8: $0) }) else { return nil }
    self = month
  }

  /// `yyyy-mm` or `all`; nil for a month outside the years 1…9999.
  var text: String? {
    self == .all ? MonthKey.allText : days.map { String($0.lowerBound.description.utf8.prefix(7)) ?? "" }
  }

  /// The days of a month; nil for undated records and for months without a text.
  var days: ClosedRange<CivilDay>? {
    guard self != .all else { return nil }
    let (year, month) = (number / 12, number % 12 + 1)
    guard (1...9999).contains(year), let first = CivilDay(year: year, month: month, day: 1) else { return nil }
    return first...first.advanced(by: CivilDay.length(ofMonth: month, year: year) - 1)
  }
}
