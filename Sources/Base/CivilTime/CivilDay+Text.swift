import Digits

extension CivilDay: CustomStringConvertible {
  /// Parses exactly `YYYY-MM-DD`; nil for anything else and for days that do not exist.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for index in range {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The same, from a string.
  package init?(_ text: String) {
    var text = text
    guard let day = text.withUTF8({ CivilDay(utf8: $0) }) else { return nil }
    self = day
  }

  /// Writes the ten bytes of `YYYY-MM-DD` to `target`; clamps the year to 0…9999.
  package func write(to target: UnsafeMutablePointer<UInt8>) {
    let (year, month, day) = components
    let number = min(max(year, 0), 9999) &* 10_000 &+ month &* 100 &+ day
    let text = Digits.eight(UInt64(truncatingIfNeeded: number))
    Digits.storeTwo(of: text, at: 0, to: target)
    Digits.storeTwo(of: text, at: 2, to: target + 2)
    target[4] = UInt8(ascii: "-")
    Digits.storeTwo(of: text, at: 4, to: target + 5)
    target[7] = UInt8(ascii: "-")
    Digits.storeTwo(of: text, at: 6, to: target + 8)
  }

  /// The day as `YYYY-MM-DD`.
  package var description: String {
    String(unsafeUninitializedCapacity: 10) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(to: base)
      return 10
    }
  }
}
