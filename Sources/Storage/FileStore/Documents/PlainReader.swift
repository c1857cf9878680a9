import CivilTime
import JSON
import Values

/// Reads text in this code's own layout, member by member while each is the expected one: much faster than parsing,
/// which is left to do when the text differs.
struct PlainReader {
  let base: UnsafeRawPointer
  /// The end of what may be read.
  let end: Int
  /// The offset of the next byte.
  var at = 0
  /// The place of an instant read before, and its day.
  private var known: (place: UnsafeRawPointer, day: Int64)?

  init(base: UnsafeRawPointer, end: Int, at: Int = 0) { (self.base, self.end, self.at) = (base, end, at) }

  /// Skips a text if it comes next.
  @inline(__always) mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at &+ length <= end, StringScan.areSame(base + at, UnsafeRawPointer(text.utf8Start), length) else {
      return false
    }
    at &+= length
    return true
  }

  /// The same for a string's text and its closing quotation mark.
  @inline(__always) mutating func skip(string text: String) -> Bool {
    let isNext = text.utf8.withContiguousStorageIfAvailable { text in
      guard let source = text.baseAddress, at &+ text.count < end else { return false }
      return base.load(fromByteOffset: at &+ text.count, as: UInt8.self) == UInt8(ascii: "\"")
        && StringScan.areSame(base + at, source, text.count)
    }
    guard isNext == true else { return false }
    at &+= text.utf8.count &+ 1
    return true
  }

  @inline(__always) mutating func number() -> Int? { RecordLayout.number(base, &at, end) }

  @inline(__always) mutating func id() -> EntityID? {
    guard at &+ 36 <= end, let id = FixedText.id(base + at) else { return nil }
    at &+= 36
    return id
  }

  @inline(__always) mutating func sha256() -> SHA256Digest? {
    guard at &+ SHA256Digest.textLength <= end else { return nil }
    let text = UnsafeRawBufferPointer(start: base + at, count: SHA256Digest.textLength)
    at &+= SHA256Digest.textLength
    return SHA256Digest(utf8: text.assumingMemoryBound(to: UInt8.self))
  }

  @inline(__always) mutating func day() -> CivilDay? {
    guard at &+ 10 <= end, let day = FixedText.day(base + at) else { return nil }
    at &+= 10
    return day
  }

  /// The three instants of a line mostly share a day.
  @inline(__always) mutating func instant() -> Instant? {
    guard at &+ 24 <= end, let instant = FixedText.instant(base + at, besides: known?.place, known?.day ?? 0) else {
      return nil
    }
    if known == nil { known = (base + at, FixedText.day(of: instant)) }
    at &+= 24
    return instant
  }

  /// Reads an ASCII string without escapes, and its closing quotation mark.
  @inline(__always) mutating func string() -> String? {
    text().map { $0.isEmpty ? "" : String(decoding: $0, as: UTF8.self) }
  }

  /// The same, not copied.
  @inline(__always) mutating func text() -> UnsafeBufferPointer<UInt8>? {
    let start = at
    while at < end {
      let byte = base.load(fromByteOffset: at, as: UInt8.self)
      at &+= 1
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeRawBufferPointer(start: base + start, count: at &- start &- 1)
        return text.assumingMemoryBound(to: UInt8.self)
      }
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
    }
    return nil
  }
}
