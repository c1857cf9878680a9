import CivilTime

/// Parses times of day such as `07:10`, `7:10:00` or `7:10 AM`.
package enum TimeText {
  /// The time without its seconds; nil for other texts.
  package static func time(_ text: String) -> WallTime? {
    var rest = text.trimmedCell.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }[...]
    var isAfternoon: Bool?
    for (suffix, value) in [("am", false), ("pm", true), ("a.m.", false), ("p.m.", true)]
    where rest.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
      rest = rest.dropLast(suffix.utf8.count)
      isAfternoon = value
      break
    }
    while rest.last == 0x20 { rest = rest.dropLast() }
    let parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) || parts.count == 1 && isAfternoon != nil else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard (1...2).contains(part.count), part.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
      numbers.append(part.reduce(0) { $0 * 10 + Int($1 &- 0x30) })
    }
    var hour = numbers[0]
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard numbers.count < 3 || numbers[2] < 60 else { return nil }
    return WallTime(hour: hour, minute: numbers.count > 1 ? numbers[1] : 0)
  }
}
