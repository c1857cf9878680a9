import CivilTime

/// Parses times of day such as `07:10`, `7:10:00.5` or `7:10 AM`.
package enum TimeText {
  /// The time without its seconds; nil for other texts.
  package static func time(_ text: String) -> WallTime? {
    let spaces: [UInt32] = [0xA0, 0x2009, 0x202F]
    let plain = text.trimmedCell.unicodeScalars.map { scalar -> UInt8 in
      if spaces.contains(scalar.value) { return 0x20 }
      guard scalar.isASCII else { return 0 }
      return UInt8(ascii: scalar) | ("A"..."Z" ~= scalar ? 0x20 : 0)
    }
    return second(plain[...]).map { WallTime(minutesOfDay: $0 / 60) } ?? nil
  }

  /// The second of the day that a text in lower case names, without its fraction; nil for other texts.
  static func second(_ text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    var isAfternoon: Bool?
    for (suffix, value) in [("am", false), ("pm", true), ("a.m.", false), ("p.m.", true)]
    where rest.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
      rest = rest.dropLast(suffix.utf8.count)
      isAfternoon = value
      break
    }
    while rest.last == 0x20 { rest = rest.dropLast() }
    var parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) || parts.count == 1 && isAfternoon != nil else { return nil }
    if parts.count == 3, let mark = parts[2].firstIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) {
      let fraction = parts[2][(mark + 1)...]
      guard !fraction.isEmpty, fraction.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
      parts[2] = parts[2][..<mark]
    }
    var numbers: [Int] = []
    for part in parts {
      guard (1...2).contains(part.count), part.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
      numbers.append(part.reduce(0) { $0 * 10 + Int($1 &- 0x30) })
    }
    numbers += [0, 0].dropFirst(max(numbers.count - 1, 0))
    if let isAfternoon {
      guard (1...12).contains(numbers[0]) else { return nil }
      numbers[0] = numbers[0] % 12 + (isAfternoon ? 12 : 0)
    }
    guard numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
  }
}
