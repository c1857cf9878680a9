import DaybookProtocol
import JSON

/// Makes UTF-8 out of the bytes of a text, which come in any pieces.
struct TextDecoder {
  /// What is wrong with the bytes; everything before it was decoded.
  enum Fault: Equatable {
    /// They are no text of this kind.
    case malformed(TableEncoding)
    /// It is no text at all.
    case binary
  }

  /// How it is encoded; nil until that is known.
  private(set) var encoding: TableEncoding?
  /// Bytes that are not decoded yet: the first four, or a character of which the rest is missing.
  private var pending: [UInt8] = []

  /// Whether a line has ended. A header has no null character, so one before that shows that it is no text, or in another encoding; later
  /// ones are characters like any other.
  private var isBehindFirstLine = false

  /// What it is said to be encoded in; nil when the bytes are to tell.
  private let stated: TableEncoding?

  init(_ stated: TableEncoding?) { self.stated = stated }

  /// Decodes as much as can be decoded, behind what is in `text`. A null character in the first line is no text.
  mutating func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool, into text: inout [UInt8]) -> Fault? {
    if encoding == nil {
      pending += bytes
      guard pending.count >= 4 || isLast else { return nil }
      guard let found = TableEncoding.found(in: pending[...]) else { return .binary }
      // A mark that contradicts what was said is believed.
      encoding = found.mark > 0 ? found.encoding : stated ?? found.encoding
      let rest = Array(pending[found.mark...])
      pending = []
      return rest.withUnsafeBytes { decode($0, isLast: isLast, into: &text) }
    }
    guard pending.isEmpty else {
      let rest = pending + Array(bytes)
      pending = []
      return rest.withUnsafeBytes { decode($0, isLast: isLast, into: &text) }
    }
    return decode(bytes, isLast: isLast, into: &text)
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into text: inout [UInt8]
  ) -> Fault? {
    switch encoding ?? .utf8 {
    case .utf8, .unknown: return decodeUTF8(bytes, isLast: isLast, into: &text)
    case .utf16LittleEndian: return decodeUTF16(bytes, isLast: isLast, high: 1, into: &text)
    case .utf16BigEndian: return decodeUTF16(bytes, isLast: isLast, high: 0, into: &text)
    case .windows1252:
      for byte in bytes {
        guard isText(byte) else { return .malformed(.windows1252) }
        let value = (0x80...0x9F).contains(byte) ? TableEncoding.windows[Int(byte) - 0x80] : UInt32(byte)
        TextDecoder.append(value, to: &text)
      }
      return nil
    }
  }

  private mutating func decodeUTF8(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into text: inout [UInt8]
  ) -> Fault? {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    var at = 0
    let end = bytes.count
    var fault: Fault?
    while at < end {
      // Eight ASCII characters at a time, none of them null.
      if at &+ 8 <= end {
        let word = UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self)
        if (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0 {
          at &+= 8
          continue
        }
      }
      let length = UTF8Scan.length(base + at, count: end &- at)
      if length == 0 {
        if !isLast, TextDecoder.isCutOff(base + at, count: end &- at) {
          pending = Array(UnsafeBufferPointer(start: base + at, count: end &- at))
        } else {
          fault = .malformed(.utf8)
        }
        break
      }
      if base[at] == 0 {
        isBehindFirstLine = isBehindFirstLine || TextDecoder.hasLineBreak(base, count: at)
        guard isBehindFirstLine else {
          fault = .malformed(.utf8)
          break
        }
      }
      at &+= length
    }
    isBehindFirstLine = isBehindFirstLine || TextDecoder.hasLineBreak(base, count: at)
    text += UnsafeBufferPointer(start: base, count: at)
    return fault
  }

  private static func hasLineBreak(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    UnsafeBufferPointer(start: bytes, count: count).contains { isLineBreak($0) }
  }

  private static func isLineBreak<Unit: BinaryInteger>(_ unit: Unit) -> Bool { unit == 0x0A || unit == 0x0D }

  /// Whether a unit of a text can stand where it does; takes notice of where lines end.
  private mutating func isText<Unit: BinaryInteger>(_ unit: Unit) -> Bool {
    if TextDecoder.isLineBreak(unit) { isBehindFirstLine = true }
    return unit != 0 || isBehindFirstLine
  }

  /// Whether the bytes can be the beginning of a character of which the rest is still to come.
  private static func isCutOff(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    let expected: Int
    switch bytes[0] {
    case 0xC2...0xDF: expected = 2
    case 0xE0...0xEF: expected = 3
    case 0xF0...0xF4: expected = 4
    default: return false
    }
    guard count < expected else { return false }
    // Filled up with the least or the greatest that may follow, one of them has to be well-formed.
    for filler: UInt8 in [0x80, 0x90, 0xA0, 0xBF] {
      var whole = Array(UnsafeBufferPointer(start: bytes, count: count))
      while whole.count < expected { whole.append(filler) }
      if whole.withUnsafeBufferPointer({ $0.baseAddress.map { UTF8Scan.length($0, count: expected) } == expected }) {
        return true
      }
    }
    return false
  }

  private mutating func decodeUTF16(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, high: Int, into text: inout [UInt8]
  ) -> Fault? {
    let encoding = encoding ?? .utf16LittleEndian
    func unit(_ at: Int) -> UInt32 { UInt32(bytes[at + high]) << 8 | UInt32(bytes[at + 1 - high]) }
    var at = 0
    while at + 1 < bytes.count {
      let first = unit(at)
      var value = first
      if first & 0xF800 == 0xD800 {
        guard first < 0xDC00 else { return .malformed(encoding) }
        guard at + 3 < bytes.count else { break }
        let second = unit(at + 2)
        guard second & 0xFC00 == 0xDC00 else { return .malformed(encoding) }
        value = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
        at += 2
      }
      guard isText(value) else { return .malformed(encoding) }
      TextDecoder.append(value, to: &text)
      at += 2
    }
    guard at < bytes.count else { return nil }
    if isLast { return .malformed(encoding) }
    pending = Array(bytes[at...])
    return nil
  }

  /// Adds a character, which is one.
  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    guard value >= 0x80 else { return text.append(UInt8(truncatingIfNeeded: value)) }
    guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return }
    text.append(contentsOf: encoded)
  }
}
