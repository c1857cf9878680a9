import CivilTime

extension MonthKey {
  /// The text of what has no day.
  static let allText = "all"

  /// The part of what has no day.
  static let all = MonthKey(nil)

  /// The month of an exact `yyyy-mm`, 0001-01 to 9999-12, or the part of what has no day for `all`; nil for anything else.
  init?(_ text: some StringProtocol) {
    if text == MonthKey.allText {
      self = .all
      return
    }
    let utf8 = Array(text.utf8)
    // The day's own reader knows which years and months there are.
    guard utf8.count == 7, let day = CivilDay(String(decoding: utf8, as: UTF8.self) + "-01") else { return nil }
    self.init(day)
  }

  /// `yyyy-mm` or `all`; nil for a month outside the years 1…9999, which has no text.
  var text: String? {
    guard self != .all else { return MonthKey.allText }
    let (year, month) = (number / 12, number % 12 + 1)
    guard (1...9999).contains(year), let first = CivilDay(year: year, month: month, day: 1) else { return nil }
    return String(first.description.prefix(7))
  }
}
