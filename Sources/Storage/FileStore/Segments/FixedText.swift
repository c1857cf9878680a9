import CivilTime
import JSON
import Values

/// Fixed-width texts, read and checked eight bytes at a time. Only the canonical form is accepted: lower-case digits,
/// `T` and `Z`, three digits of milliseconds. With `isKnown`, a text that was checked before is not checked again.
enum FixedText {
  /// A word with `byte` in each of its eight bytes.
  @inline(__always) private static func eight(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

  /// Eight constant bytes in the form that `loadUnaligned` gives.
  @inline(__always) static func word(_ text: StaticString) -> UInt64 {
    UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt64.self)
  }

  /// The number of eight loaded lower-case hexadecimal digits; nil for anything else.
  @inline(__always) static func hexadecimal(_ loaded: UInt64, isKnown: Bool = false) -> UInt32? {
    let text = UInt64(littleEndian: loaded)
    let letters = text &>> 6 & eight(1)
    let values = (text & eight(0x0F)) &+ letters &* 9
    // The values must spell exactly these digits.
    guard isKnown || values & eight(0xF0) == 0 && spelled(values) == text else { return nil }
    var number = values.byteSwapped
    number = (number | number &>> 4) & 0x00FF_00FF_00FF_00FF
    number = (number | number &>> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: number | number &>> 16)
  }

  /// The eight lower-case hexadecimal digits of a number, ready to be stored.
  @inline(__always) static func hexadecimal(_ number: UInt32) -> UInt64 {
    var word = UInt64(number)
    word = (word &<< 16 | word) & 0x0000_FFFF_0000_FFFF
    word = (word &<< 8 | word) & 0x00FF_00FF_00FF_00FF
    word = (word &<< 4 | word) & 0x0F0F_0F0F_0F0F_0F0F
    return spelled(word.byteSwapped).littleEndian
  }

  static func append(_ number: UInt32, to writer: inout JSONWriter) {
    writer.append(room: 8) { target in
      UnsafeMutableRawPointer(target).storeBytes(of: hexadecimal(number), as: UInt64.self)
      return 8
    }
  }

  static func digits(_ number: UInt32) -> String {
    withUnsafeBytes(of: hexadecimal(number)) { String(decoding: $0, as: UTF8.self) }
  }

  /// The digits of eight values 0…15, one per byte.
  @inline(__always) private static func spelled(_ values: UInt64) -> UInt64 {
    // Adding 0x06 carries a value of 10 or more into the upper half of its byte.
    let letters = (values &+ eight(0x06)) &>> 4 & eight(1)
    return values &+ eight(0x30) &+ letters &* 0x27
  }

  /// The id in the 36 bytes at `source`.
  @inline(__always) static func id(_ source: UnsafeRawPointer, isKnown: Bool = false) -> EntityID? {
    @inline(__always) func pair(_ first: Int, _ second: Int) -> UInt64 {
      let low = UInt64(UInt32(littleEndian: (source + first).loadUnaligned(as: UInt32.self)))
      let high = UInt64(UInt32(littleEndian: (source + second).loadUnaligned(as: UInt32.self)))
      return (high &<< 32 | low).littleEndian
    }
    let dash = UInt8(ascii: "-")
    let hasDashes =
      byte(source, 8) == dash && byte(source, 13) == dash && byte(source, 18) == dash && byte(source, 23) == dash
    guard isKnown || hasDashes, let first = hexadecimal(source.loadUnaligned(as: UInt64.self), isKnown: isKnown),
      let second = hexadecimal(pair(9, 14), isKnown: isKnown),
      let third = hexadecimal(pair(19, 24), isKnown: isKnown),
      let fourth = hexadecimal((source + 28).loadUnaligned(as: UInt64.self), isKnown: isKnown)
    else { return nil }
    return EntityID(high: UInt64(first) &<< 32 | UInt64(second), low: UInt64(third) &<< 32 | UInt64(fourth))
  }

  /// The day in the ten bytes `YYYY-MM-DD` at `source`.
  @inline(__always) static func day(_ source: UnsafeRawPointer, isKnown: Bool = false) -> CivilDay? {
    guard let date = digits(source.loadUnaligned(as: UInt64.self), in: "0000-00-", isKnown) else { return nil }
    let tens = byte(source, 8) &- UInt8(ascii: "0")
    let units = byte(source, 9) &- UInt8(ascii: "0")
    guard isKnown || tens < 10 && units < 10 else { return nil }
    return CivilDay(year: year(date), month: two(date, 5), day: Int(tens &* 10 &+ units))
  }

  /// The instant in the 24 bytes `YYYY-MM-DDTHH:MM:SS.mmmZ` at `source`. If its day equals the text at `other`, the
  /// number `day` is used, which saves the calendar arithmetic.
  @inline(__always) static func instant(
    _ source: UnsafeRawPointer, besides other: UnsafeRawPointer? = nil, _ day: Int64 = 0, isKnown: Bool = false
  ) -> Instant? {
    guard let middle = digits((source + 8).loadUnaligned(as: UInt64.self), in: "00T00:00", isKnown),
      let end = digits((source + 16).loadUnaligned(as: UInt64.self), in: ":00.000Z", isKnown)
    else { return nil }
    let hour = two(middle, 3)
    let minute = two(middle, 6)
    let second = two(end, 1)
    guard isKnown || hour < 24 && minute < 60 && second < 60 else { return nil }
    let milliseconds = digit(end, 4) &* 100 &+ two(end, 5)
    let time = Int64(((hour &* 60 &+ minute) &* 60 &+ second) &* 1000 &+ milliseconds)
    if let other, isSameDay(source, other) { return Instant(milliseconds: day &* millisecondsADay &+ time) }
    guard let date = digits(source.loadUnaligned(as: UInt64.self), in: "0000-00-", isKnown),
      let day = CivilDay(year: year(date), month: two(date, 5), day: two(middle, 0))
    else { return nil }
    return Instant(milliseconds: Int64(day.daysSinceEpoch) &* millisecondsADay &+ time)
  }

  private static let millisecondsADay: Int64 = 86_400_000

  /// The UTC day of an instant, counted from 1970-01-01.
  @inline(__always) static func day(of instant: Instant) -> Int64 {
    let time = instant.milliseconds
    return time >= 0 ? time / millisecondsADay : ~(~time / millisecondsADay)
  }

  /// Whether two ten-byte days are equal.
  @inline(__always) private static func isSameDay(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    first.loadUnaligned(as: UInt64.self) == second.loadUnaligned(as: UInt64.self)
      && (first + 8).loadUnaligned(as: UInt16.self) == (second + 8).loadUnaligned(as: UInt16.self)
  }

  /// The values of the digits where `form` has zeros, the first in the lowest byte; nil unless the rest matches
  /// `form`.
  @inline(__always) private static func digits(_ loaded: UInt64, in form: StaticString, _ isKnown: Bool)
    -> UInt64?
  {
    let pattern = UInt64(littleEndian: word(form))
    let values = UInt64(littleEndian: loaded) ^ pattern
    // 0x7F less the greatest allowed value: 9 for a digit (`0` in the form), 0 for any other byte.
    let zeros = pattern ^ eight(0x30)
    let isOther = ((zeros &+ eight(0x7F)) & eight(0x80)) &>> 7
    let margin = eight(0x76) &+ isOther &* 9
    guard isKnown || (values &+ margin | values) & eight(0x80) == 0 else { return nil }
    return values
  }

  @inline(__always) private static func year(_ digits: UInt64) -> Int { two(digits, 0) &* 100 &+ two(digits, 2) }

  @inline(__always) private static func two(_ digits: UInt64, _ index: UInt64) -> Int {
    digit(digits, index) &* 10 &+ digit(digits, index &+ 1)
  }

  @inline(__always) private static func digit(_ digits: UInt64, _ index: UInt64) -> Int {
    Int(truncatingIfNeeded: digits &>> (index &* 8) & 0x0F)
  }

  @inline(__always) private static func byte(_ source: UnsafeRawPointer, _ offset: Int) -> UInt8 {
    source.load(fromByteOffset: offset, as: UInt8.self)
  }
}
