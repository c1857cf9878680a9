/// The forms of text that scalars have on the wire.
enum TextForm {
  /// Whether a text is a UUID as the service writes it: hexadecimal digits 8-4-4-4-12, in lower case.
  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      if [8, 13, 18, 23].contains(index) { return byte == UInt8(ascii: "-") }
      return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }

  /// Whether a text is a day of the calendar, `YYYY-MM-DD`, 1900-01-01 to 2200-12-31.
  static func isDate(_ text: String) -> Bool {
    guard let parts = numbers(text, "dddd-dd-dd"), parts.count == 3 else { return false }
    return (1900...2200).contains(parts[0]) && isDay(parts)
  }

  /// Whether a text is a time of day, `HH:MM`, 00:00 to 23:59.
  static func isTime(_ text: String) -> Bool {
    guard let parts = numbers(text, "dd:dd"), parts.count == 2 else { return false }
    return parts[0] < 24 && parts[1] < 60
  }

  /// Whether a text is an instant as the service writes it: RFC 3339 in UTC with milliseconds.
  static func isInstant(_ text: String) -> Bool {
    guard let parts = numbers(text, "dddd-dd-ddTdd:dd:dd.dddZ"), parts.count == 7 else { return false }
    return isDay(parts) && parts[3] < 24 && parts[4] < 60 && parts[5] < 60
  }

  /// Whether the calendar has a day, whose year, month and day come first.
  private static func isDay(_ parts: [Int]) -> Bool {
    let (year, month, day) = (parts[0], parts[1], parts[2])
    guard (1...12).contains(month) else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Whether a text can be the name of an IANA time zone.
  static func isTimeZone(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { byte in
          isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
        }
    }
  }

  /// The numbers of a text that has this form, `d` being a digit; nil for another form.
  private static func numbers(_ text: String, _ form: StaticString) -> [Int]? {
    let bytes = Array(text.utf8)
    guard bytes.count == form.utf8CodeUnitCount else { return nil }
    var numbers: [Int] = []
    var isInNumber = false
    for (index, byte) in bytes.enumerated() {
      let expected = form.utf8Start[index]
      if expected == UInt8(ascii: "d") {
        guard isDigit(byte) else { return nil }
        if !isInNumber { numbers.append(0) }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
        isInNumber = true
      } else {
        guard byte == expected else { return nil }
        isInNumber = false
      }
    }
    return numbers
  }

  /// Whether a byte is an ASCII digit.
  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
