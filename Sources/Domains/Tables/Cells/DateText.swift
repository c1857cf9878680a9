import DaybookProtocol
import TextFolding

/// Parses days such as `2026-01-05`, `01/05/2026`, `5.1.2026`, `Jan 5, 2026` or `12 de marzo de 2026`, and the time that may
/// follow them.
package enum DateText {
  /// The day that a text names. Years have four digits.
  ///
  /// A text is unambiguous if the year comes first, or if points separate the numbers (then the day comes first). Otherwise
  /// the `order` decides; without one, a text is unambiguous if only one of the numbers can be the month.
  package static func reading(_ text: String, order: TableDateFormat?) -> CellReading<CivilDay> {
    guard let parts = Parts(text), parts.clock != .unreadable else { return .invalid }
    return parts.reading(order)
  }

  /// The day that a text names, and the time behind it; see `reading`.
  package static func moment(_ text: String, order: TableDateFormat?) -> CellReading<DateTime> {
    guard let parts = Parts(text) else { return .invalid }
    var moment = DateTime(day: CivilDay(daysSinceEpoch: 0))
    switch parts.clock {
    case .absent: break
    case .unreadable: return .invalid
    case .time(let second, let offset): (moment.second, moment.offset) = (second, offset)
    }
    func at(_ day: CivilDay) -> DateTime { DateTime(day: day, second: moment.second, offset: moment.offset) }
    switch parts.reading(order) {
    case .value(let day): return .value(at(day))
    case .ambiguous(let first, let second): return .ambiguous(at(first), at(second))
    case .invalid: return .invalid
    }
  }

  /// Whether a text has a character without which there is no time; a quick check.
  static func mayHaveTime(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: ":") || $0 | 0x20 == UInt8(ascii: "t") || $0 | 0x20 == UInt8(ascii: "m") }
  }

  /// Whether a text is a day with an impossible time behind it.
  static func hasBadTime(_ text: String) -> Bool { Parts(text)?.clock == .unreadable }

  /// The order of the parts that a text proves; nil when it proves none.
  package static func evidence(_ text: String) -> TableDateFormat? {
    guard let parts = Parts(text), !parts.isYearFirst, !parts.hasName, !parts.hasPoints else { return nil }
    switch (parts.day(.mdy), parts.day(.dmy)) {
    case (.some, nil): return .mdy
    case (nil, .some): return .dmy
    default: return nil
    }
  }

  /// A day split at its separators.
  private struct Parts {
    /// The numbers with their digit counts.
    var numbers: [(value: Int, digits: Int)] = []
    /// The month, if it is named.
    var month: Int?
    var separator: UInt8 = 0
    /// The time behind the day.
    var clock = ClockText.absent

    init?(_ text: String) {
      let bytes = Parts.plain(text.trimmedCell)
      var at = 0
      var hasWords = false
      var separators: [UInt8] = []
      while at < bytes.count, numbers.count + (month == nil ? 0 : 1) < 3 {
        let start = at
        while at < bytes.count, bytes[at] &- 0x30 < 10 { at += 1 }
        if at > start {
          guard at - start <= 4 else { return nil }
          numbers.append((bytes[start..<at].reduce(0) { $0 * 10 + Int($1 &- 0x30) }, at - start))
          continue
        }
        while at < bytes.count, (bytes[at] | 0x20) &- 0x61 < 26 { at += 1 }
        if at > start {
          let word = String(decoding: bytes[start..<at].map { $0 | 0x20 }, as: UTF8.self)
          let isBehindNumber = start > 0 && bytes[start - 1] &- 0x30 < 10
          if (isBehindNumber ? Parts.ordinals : Parts.fillers).contains(word) {
            hasWords = true
            continue
          }
          guard month == nil, let named = MonthNames.month(word) else { return nil }
          month = named
          continue
        }
        guard [0x2D, 0x2F, 0x2E, 0x20, 0x2C].contains(bytes[at]) else { return nil }
        if bytes[at] != 0x20 || separators.isEmpty { separators.append(bytes[at]) }
        at += 1
      }
      guard numbers.count + (month == nil ? 0 : 1) == 3 else { return nil }
      if month == nil {
        // Numbers need the same separator twice, but not a space or a comma.
        guard !hasWords, separators.count == 2, separators[0] == separators[1], separators[0] != 0x20,
          separators[0] != 0x2C
        else {
          return nil
        }
        separator = separators[0]
      }
      guard let clock = ClockText(behindDay: bytes[at...]) else { return nil }
      self.clock = clock
    }

    /// Suffixes of ordinals, as in `1er avril` and `5th May`.
    private static let ordinals: Set = ["er", "o", "st", "nd", "rd", "th"]
    /// Words between the parts, as in `12 de marzo de 2026`.
    private static let fillers: Set = ["de", "del"]

    /// The text in ASCII: letters without marks, plain spaces, and a null for any other character.
    private static func plain(_ text: String) -> [UInt8] {
      guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(text.utf8) }
      var bytes: [UInt8] = []
      for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0..<0x80: bytes.append(UInt8(ascii: scalar))
        case 0xA0, 0x2009, 0x202F: bytes.append(0x20)
        case 0xBA: bytes.append(UInt8(ascii: "o"))
        // Combining marks.
        case 0x300...0x36F: continue
        default: if !LatinLetters.appendPlain(of: scalar.value, to: &bytes) { bytes.append(0) }
        }
      }
      return bytes
    }

    var isYearFirst: Bool { month == nil && numbers[0].digits == 4 }

    var hasName: Bool { month != nil }

    var hasPoints: Bool { separator == UInt8(ascii: ".") }

    func reading(_ order: TableDateFormat?) -> CellReading<CivilDay> {
      if isYearFirst { return day(.ymd).map { .value($0) } ?? .invalid }
      if hasName { return named.map { .value($0) } ?? .invalid }
      if let order = hasPoints ? .dmy : order { return day(order).map { .value($0) } ?? .invalid }
      switch (day(.mdy), day(.dmy)) {
      case (let first?, let second?): return first == second ? .value(first) : .ambiguous(first, second)
      case (let day?, nil), (nil, let day?): return .value(day)
      case (nil, nil): return .invalid
      }
    }

    /// The day with a named month; nil without a four-digit year.
    var named: CivilDay? {
      guard let month, let year = numbers.first(where: { $0.digits == 4 }),
        let day = numbers.first(where: { $0.digits <= 2 })
      else { return nil }
      return DateText.allowed(CivilDay(year: year.value, month: month, day: day.value))
    }

    /// The day if its parts are in this order.
    func day(_ order: TableDateFormat) -> CivilDay? {
      guard numbers.count == 3 else { return nil }
      let (year, month, day) =
        switch order {
        case .ymd, .unknown: (numbers[0], numbers[1], numbers[2])
        case .mdy: (numbers[2], numbers[0], numbers[1])
        case .dmy: (numbers[2], numbers[1], numbers[0])
        }
      guard year.digits == 4, month.digits <= 2, day.digits <= 2 else { return nil }
      return DateText.allowed(CivilDay(year: year.value, month: month.value, day: day.value))
    }
  }

  private static func allowed(_ day: CivilDay?) -> CivilDay? {
    day.flatMap { CivilDay.allowed.contains($0) ? $0 : nil }
  }
}
