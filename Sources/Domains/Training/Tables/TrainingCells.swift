import CivilTime
import DaybookProtocol
import Tables
import Values

/// Cells of tables of other programs.
extension RowReader {
  /// The time of day behind a day, in seconds; nil where there is none. Fractions and offsets are passed over: it is what a clock on
  /// the wall showed.
  mutating func secondOfDay(_ field: String) -> Int? {
    guard let text = raw(field), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    var bytes = Array(text.utf8)[...]
    var start = text.utf8.distance(from: text.utf8.startIndex, to: colon)
    while start > 0, bytes[start - 1] &- 0x30 < 10 { start -= 1 }
    bytes = bytes[start...]
    let stops: [UInt8] = [UInt8(ascii: "."), UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-")]
    let clock = String(decoding: bytes.prefix { !stops.contains($0) }, as: UTF8.self)
    guard let time = TimeText.time(clock) else {
      refuse(.notATime, field, "it has no time of day", allowed: "a time such as 18:00:00 or 6:00 PM behind the day")
      return nil
    }
    let parts = clock.split(separator: ":")
    let seconds = parts.count == 3 ? Int(parts[2].prefix { $0 >= "0" && $0 <= "9" }) ?? 0 : 0
    return time.minutesOfDay * 60 + seconds
  }

  /// How long something took, in seconds: `1h 15m`, `45 min`, `1:30`, `0:01:30`, or a number of seconds; nil when it is empty, zero or
  /// refused.
  mutating func length(_ field: String, most: Int) -> Int? {
    guard let text = raw(field) else { return nil }
    guard let seconds = LengthText.seconds(text, mark: style.mark), (0...most).contains(seconds) else {
      refuse(
        .malformed, field, "it says not how long it was",
        allowed: "such as 1h 15m, 0:45:30 or a number of seconds, \(most) s at most")
      return nil
    }
    return seconds == 0 ? nil : seconds
  }

  /// A whole number; nil when it is empty, zero or refused.
  mutating func count(_ field: String, most: Int64) -> Int? {
    number(field, in: .zero...Decimal(most), allowed: "a whole number from 0 to \(most)") { number in
      number.normalized.scale == 0 ? number : nil
    }.flatMap { number in number == .zero ? nil : number.units(ofScale: 0).map { Int($0) } }
  }

  /// The first number above zero of some columns, and its unit: that of the column, else what `stated` has for it.
  mutating func measure<Unit>(
    _ columns: [MeasureColumn<Unit>], most: Int64, unit stated: Unit
  ) -> (value: Decimal, unit: Unit)? {
    for column in columns {
      let value = number(
        column.field, in: .zero...Decimal(most), allowed: "a number from 0 to \(most)"
      ) { $0.scale <= 3 ? $0 : $0.rounded(toScale: 3)?.normalized }
      if let value, value > .zero { return (value, column.unit ?? stated) }
    }
    return nil
  }
}

/// How long something took.
enum LengthText {
  /// The seconds of a text; nil when it is none.
  static func seconds(_ text: String, mark: TableDecimalMark?) -> Int? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    if case .value(let number) = NumberText.reading(text, mark: mark) { return whole(number) }
    var (total, digits, unit) = (0, "", "")
    var (seen, isGap) = (false, false)
    func add() -> Bool {
      guard let number = Int(digits), number < 1_000_000 else { return digits.isEmpty && unit.isEmpty }
      switch unit.first {
      case "h": total += number * 3600
      case "m": total += number * 60
      case "s": total += number
      default: return false
      }
      seen = true
      (digits, unit) = ("", "")
      return true
    }
    for scalar in text.lowercased().unicodeScalars {
      if ("0"..."9").contains(scalar) {
        guard unit.isEmpty ? !isGap : add() else { return nil }
        digits.unicodeScalars.append(scalar)
      } else if scalar.properties.isAlphabetic {
        unit.unicodeScalars.append(scalar)
      } else if scalar.properties.isWhitespace {
        guard unit.isEmpty || add() else { return nil }
      } else {
        return nil
      }
      isGap = !digits.isEmpty && scalar.properties.isWhitespace
    }
    return add() && seen ? total : nil
  }

  /// `m:ss` or `h:mm:ss`.
  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.count <= 4 ? Int(part) : nil }.filter { $0 >= 0 }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else {
      return nil
    }
    return numbers.reduce(0) { $0 * 60 + $1 }
  }

  private static func whole(_ number: Decimal) -> Int? {
    number.rounded(toScale: 0)?.units(ofScale: 0).map { Int($0) }
  }
}
