import CivilTime

/// A day in a cell, and the time behind it.
package struct DateTime: Sendable, Equatable {
  package var day: CivilDay
  /// The second of the day, 0…86,399; nil without a time.
  package var second: Int?
  /// The stated offset from UTC, seconds to the east: then the cell names an instant.
  package var offset: Int?
}

/// The text behind a day: `T07:10:00.000Z`, ` 7:10 PM`, ` 07:10:00 +0100`.
enum ClockText: Equatable {
  /// Nothing, or digits that are no time, such as `7.30`.
  case absent
  case time(second: Int, offset: Int?)
  /// An impossible time or offset.
  case unreadable

  /// - Parameter rest: ASCII.
  /// - Returns: Nil when the text is something else than a time.
  init?(behindDay rest: ArraySlice<UInt8>) {
    guard let first = rest.first else {
      self = .absent
      return
    }
    guard first == 0x20 || first | 0x20 == UInt8(ascii: "t") || first == UInt8(ascii: ",") else { return nil }
    var body = rest.dropFirst().map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...]
    guard body.contains(where: { $0 &- 0x30 < 10 }) else { return nil }
    while body.first == 0x20 { body = body.dropFirst() }
    let (offset, isPossible) = ClockText.takeOffset(&body)
    let marks: [UInt8] = [0x20, 0x3A, 0x2E, 0x2C, 0x2B, 0x2D] + Array("apm".utf8)
    guard body.allSatisfy({ $0 &- 0x30 < 10 || marks.contains($0) }) else { return nil }
    let isBasic = first | 0x20 == UInt8(ascii: "t")
    if isPossible, let second = TimeText.second(body) ?? (isBasic ? ClockText.basic(body) : nil) {
      self = .time(second: second, offset: offset)
    } else {
      self = isPossible && offset == nil && !body.contains(UInt8(ascii: ":")) ? .absent : .unreadable
    }
  }

  /// Takes the offset from the end: `z`, ` utc`, `+01:00`, ` +0100`, `-05`; nil without one.
  private static func takeOffset(_ body: inout ArraySlice<UInt8>) -> (offset: Int?, isPossible: Bool) {
    func trim() { while body.last == 0x20 { body = body.dropLast() } }
    for name in ["z", "utc", "gmt"] where body.suffix(name.utf8.count).elementsEqual(name.utf8) {
      body = body.dropLast(name.utf8.count)
      trim()
      return (0, true)
    }
    guard let sign = body.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
      body[..<sign].contains(where: { $0 &- 0x30 < 10 })
    else { return (nil, true) }
    let text = body[(sign + 1)...]
    let digits = text.filter { $0 &- 0x30 < 10 }
    let isSplit = text.count == 5 && text[sign + 3] == UInt8(ascii: ":") && digits.count == 4
    guard isSplit || digits.count == text.count && [1, 2, 4].contains(digits.count) else {
      return (nil, true)
    }
    let isWest = body[sign] == UInt8(ascii: "-")
    // A minus alone may separate anything.
    guard !isWest || body[..<sign].contains(UInt8(ascii: ":")) || digits.count == 4 else { return (nil, true) }
    body = body[..<sign]
    trim()
    let number = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    let (hours, minutes) = digits.count == 4 ? (number / 100, number % 100) : (number, 0)
    return ((isWest ? -1 : 1) * (hours * 3600 + minutes * 60), hours <= 15 && minutes < 60)
  }

  /// `0710`, `071000`, behind a `T`.
  private static func basic(_ body: ArraySlice<UInt8>) -> Int? {
    let digits = Array(body)
    guard digits.count == 4 || digits.count == 6, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    let parts = stride(from: 0, to: digits.count, by: 2).map { digits[$0..<($0 + 2)] }
    return TimeText.second(Array(parts.joined(separator: [UInt8(ascii: ":")]))[...])
  }
}
