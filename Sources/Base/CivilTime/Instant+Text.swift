import Digits

extension Instant: CustomStringConvertible {
  /// The length of the canonical text `YYYY-MM-DDTHH:MM:SS.mmmZ`, in bytes.
  package static let textLength = 24

  /// The instants that have a textual form: those of the years 1…9999 in UTC.
  package static let written =
    Instant(milliseconds: -719_162 * 86_400_000)...Instant(milliseconds: 2_932_897 * 86_400_000 - 1)

  /// Parses an RFC 3339 text: `YYYY-MM-DDTHH:MM:SS`, an optional fraction of 1…9 digits, and `Z` or `±HH:MM`. Truncates
  /// to milliseconds; rejects second 60. Nil for anything else.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= 20, let day = CivilDay(utf8: UnsafeBufferPointer(rebasing: text[0..<10])) else { return nil }
    func two(_ index: Int, below limit: Int) -> Int? {
      let high = text[index] &- UInt8(ascii: "0")
      let low = text[index + 1] &- UInt8(ascii: "0")
      guard high < 10, low < 10 else { return nil }
      let value = Int(high) * 10 + Int(low)
      return value < limit ? value : nil
    }
    guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t"),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let hour = two(11, below: 24), let minute = two(14, below: 60), let second = two(17, below: 60)
    else { return nil }
    var at = 19
    var fraction = 0
    if text[at] == UInt8(ascii: ".") {
      at += 1
      let start = at
      var weight = 100
      while at < text.count, text[at] &- UInt8(ascii: "0") < 10 {
        fraction += Int(text[at] &- UInt8(ascii: "0")) * weight
        weight /= 10
        at += 1
      }
      guard (1...9).contains(at - start) else { return nil }
    }
    guard at < text.count else { return nil }
    var offset = 0
    switch text[at] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      guard at + 1 == text.count else { return nil }
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard at + 6 == text.count, text[at + 3] == UInt8(ascii: ":"),
        let hours = two(at + 1, below: 24), let minutes = two(at + 4, below: 60)
      else { return nil }
      offset = (hours * 60 + minutes) * (text[at] == UInt8(ascii: "-") ? -1 : 1)
    default: return nil
    }
    let seconds = Int64(day.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset * 60)
    self.init(milliseconds: seconds * 1000 + Int64(fraction))
  }

  /// The same, from a string.
  package init?(_ text: String) {
    var text = text
    guard let instant = text.withUTF8({ Instant(utf8: $0) }) else { return nil }
    self = instant
  }

  /// Writes the 24 bytes of the canonical text to `target`.
  package func write(to target: UnsafeMutablePointer<UInt8>) {
    let (day, millisecond) = utc
    day.write(to: target)
    let second = millisecond / 1000
    let minute = second / 60
    let hour = minute / 60
    // HHMMSS as one number, and the milliseconds separately.
    let number = hour &* 10_000 &+ (minute &- hour &* 60) &* 100 &+ second &- minute &* 60
    let time = Digits.eight(UInt64(truncatingIfNeeded: number))
    let fraction = Digits.eight(UInt64(truncatingIfNeeded: millisecond &- second &* 1000))
    target[10] = UInt8(ascii: "T")
    Digits.storeTwo(of: time, at: 2, to: target + 11)
    target[13] = UInt8(ascii: ":")
    Digits.storeTwo(of: time, at: 4, to: target + 14)
    target[16] = UInt8(ascii: ":")
    Digits.storeTwo(of: time, at: 6, to: target + 17)
    target[19] = UInt8(ascii: ".")
    Digits.storeTwo(of: fraction, at: 5, to: target + 20)
    Digits.storeTwo(of: fraction, at: 6, to: target + 21)
    target[23] = UInt8(ascii: "Z")
  }

  /// The canonical text, in UTC with milliseconds.
  package var description: String {
    String(unsafeUninitializedCapacity: Instant.textLength) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(to: base)
      return Instant.textLength
    }
  }
}
