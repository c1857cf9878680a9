extension PosixRules {
  /// Parses a TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0330>-3:30`.
  ///
  /// Daylight saving time defaults to one hour ahead of standard time, to the rules of the United States since 2007
  /// (`M3.2.0,M11.1.0`, as in the reference implementation), and to changes at 02:00. Throws `malformedRule` with the
  /// offset of the first invalid byte.
  init(utf8 text: [UInt8]) throws(TimeZoneError) {
    var reader = PosixReader(bytes: text)
    try reader.skipDesignation()
    let standard = -(try reader.duration(maximumHours: 24, maximumDigits: 2))
    guard !reader.isAtEnd else {
      self.init(standardOffset: standard, daylight: nil)
      return
    }
    try reader.skipDesignation()
    var offset = standard + 3600
    if !reader.isAtEnd && !reader.isAt(UInt8(ascii: ",")) {
      offset = -(try reader.duration(maximumHours: 24, maximumDigits: 2))
    }
    var start = YearlyChange(day: .weekday(month: 3, week: 2, weekday: 0), time: 7200)
    var end = YearlyChange(day: .weekday(month: 11, week: 1, weekday: 0), time: 7200)
    if !reader.isAtEnd {
      try reader.expect(UInt8(ascii: ","))
      start = try reader.change()
      try reader.expect(UInt8(ascii: ","))
      end = try reader.change()
    }
    guard reader.isAtEnd else { throw reader.failure("the TZ string goes on after its rules") }
    self.init(standardOffset: standard, daylight: Daylight(offset: offset, start: start, end: end))
  }
}

/// A cursor over the bytes of a TZ string.
private struct PosixReader {
  /// The whole string.
  let bytes: [UInt8]
  /// The next byte to read, 0…`bytes.count`.
  private(set) var position = 0

  var isAtEnd: Bool { position >= bytes.count }

  func isAt(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

  /// An error at the current position.
  func failure(_ message: String) -> TimeZoneError {
    TimeZoneError(.malformedRule, message, byteOffset: position)
  }

  /// Skips the byte if it is next; returns whether it was.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard isAt(byte) else { return false }
    position += 1
    return true
  }

  /// Skips the byte; throws when it is not next.
  mutating func expect(_ byte: UInt8) throws(TimeZoneError) {
    guard skip(byte) else { throw failure("expected '\(Character(Unicode.Scalar(byte)))' in the TZ string") }
  }

  /// Skips a designation: at least three letters, or at least three letters, digits and signs in angle brackets.
  mutating func skipDesignation() throws(TimeZoneError) {
    let isQuoted = skip(UInt8(ascii: "<"))
    let start = position
    scan: while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): position += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9") where isQuoted: position += 1
      case UInt8(ascii: "+") where isQuoted, UInt8(ascii: "-") where isQuoted: position += 1
      default: break scan
      }
    }
    guard position - start >= 3 else { throw failure("a designation in a TZ string has at least three letters") }
    if isQuoted { try expect(UInt8(ascii: ">")) }
  }

  /// A number of `digits` digits within `range`.
  mutating func number(digits: ClosedRange<Int>, in range: ClosedRange<Int>) throws(TimeZoneError) -> Int {
    let start = position
    var value = 0
    while position < bytes.count, position - start < digits.upperBound {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value * 10 + Int(digit)
      position += 1
    }
    guard digits.contains(position - start), range.contains(value) else {
      throw failure("expected a number in \(range.lowerBound)…\(range.upperBound) in the TZ string")
    }
    return value
  }

  /// `[+-]h[:mm[:ss]]` in seconds, hours 0…`maximumHours` of at most `maximumDigits` digits.
  mutating func duration(maximumHours: Int, maximumDigits: Int) throws(TimeZoneError) -> Int32 {
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    var seconds = try number(digits: 1...maximumDigits, in: 0...maximumHours) * 3600
    if skip(UInt8(ascii: ":")) {
      seconds += try number(digits: 2...2, in: 0...59) * 60
      if skip(UInt8(ascii: ":")) { seconds += try number(digits: 2...2, in: 0...59) }
    }
    return Int32(truncatingIfNeeded: isNegative ? -seconds : seconds)
  }

  /// A day of the year with an optional `/time`.
  mutating func change() throws(TimeZoneError) -> YearlyChange {
    let day: YearlyChange.Day
    if skip(UInt8(ascii: "J")) {
      day = .julian(try number(digits: 1...3, in: 1...365))
    } else if skip(UInt8(ascii: "M")) {
      let month = try number(digits: 1...2, in: 1...12)
      try expect(UInt8(ascii: "."))
      let week = try number(digits: 1...1, in: 1...5)
      try expect(UInt8(ascii: "."))
      day = .weekday(month: month, week: week, weekday: try number(digits: 1...1, in: 0...6))
    } else {
      day = .ordinal(try number(digits: 1...3, in: 0...365))
    }
    let time = skip(UInt8(ascii: "/")) ? try duration(maximumHours: 167, maximumDigits: 3) : 7200
    return YearlyChange(day: day, time: time)
  }
}
