import Digits
import Testing

struct DigitsTests {
  /// The text that `write` makes.
  private func written(_ number: UInt64) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
      guard let target = room.baseAddress else { return "" }
      let count = Digits.write(number, to: target)
      return String(decoding: UnsafeBufferPointer(start: target, count: count), as: UTF8.self)
    }
  }

  /// The eight bytes of a text.
  private func text(_ digits: UInt64) -> String {
    String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: digits >> ($0 * 8)) }, as: UTF8.self)
  }

  @Test("Every number of four digits is written, alone and as either half of eight")
  func halves() {
    for number in UInt64(0)..<10_000 {
      #expect(written(number) == "\(number)")
      let four = String("\(10_000 + number)".dropFirst())
      #expect(text(Digits.eight(number)) == "0000" + four)
      #expect(text(Digits.eight(number * 10_000 + 9_999)) == four + "9999")
    }
  }

  @Test("Numbers around every power of ten are written, up to the largest")
  func powers() {
    var power: UInt64 = 1
    while true {
      for number in [power - 1, power, power + 1, power &* 9] { #expect(written(number) == "\(number)") }
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      if overflow { break }
      power = next
    }
    #expect(written(.max) == "\(UInt64.max)")
  }
}
