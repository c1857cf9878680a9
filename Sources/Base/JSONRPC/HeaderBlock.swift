/// The header lines of a frame, parsed leniently: names in any case, any white space, unknown fields, noise.
struct HeaderBlock: Sendable {
  /// The value of the last valid `Content-Length`.
  private(set) var length: Int?
  /// Whether an unsupported charset is named.
  private(set) var hasForeignCharset = false
  /// Why `length` is missing.
  private(set) var problem = "no Content-Length in the header block"

  /// Reads one line without its line end.
  mutating func read(_ line: UnsafeRawBufferPointer) {
    if let length = HeaderBlock.usualLength(line) {
      self.length = length
      return
    }
    if let value = HeaderBlock.value(of: "content-length", in: line) {
      readLength(value)
    } else if let value = HeaderBlock.value(of: "content-type", in: line) {
      hasForeignCharset = HeaderBlock.charset(in: value).map { !["utf-8", "utf8"].contains($0) } ?? false
    }
  }

  /// Fast path: the length in `Content-Length: N`, in exactly this spelling with at most 17 digits; else nil.
  private static func usualLength(_ line: UnsafeRawBufferPointer) -> Int? {
    let name: StaticString = "Content-Length: "
    let count = name.utf8CodeUnitCount
    guard line.count > count, line.count <= count + 17 else { return nil }
    for index in 0..<count where line[index] != name.utf8Start[index] { return nil }
    var length = 0
    for index in count..<line.count {
      let digit = line[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      length = length &* 10 &+ Int(digit)
    }
    return length
  }

  private mutating func readLength(_ value: Slice<UnsafeRawBufferPointer>) {
    length = nil
    guard !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }) else {
      problem = "Content-Length is not a number"
      return
    }
    var result = 0
    for digit in value {
      let (tenfold, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int(digit &- 48))
      guard !overflow, !carry else {
        problem = "Content-Length is beyond all bounds"
        return
      }
      result = sum
    }
    length = result
  }

  /// The trimmed value of a field. Noise may precede the name on the same line (the end of a body with a wrong length),
  /// unless it makes a longer name.
  private static func value(of name: StaticString, in line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
    let count = name.utf8CodeUnitCount
    guard line.count > count else { return nil }
    for start in 0..<(line.count - count) {
      guard matches(name, line, at: start) else { continue }
      if start > 0, line[start - 1] == UInt8(ascii: "-") || line[start - 1] == UInt8(ascii: "_") { continue }
      var colon = start + count
      while colon < line.count, isBlank(line[colon]) { colon += 1 }
      guard colon < line.count, line[colon] == UInt8(ascii: ":") else { continue }
      return trimmed(line[(colon + 1)...])
    }
    return nil
  }

  /// The charset in a `Content-Type`, in lower case and without quotes.
  private static func charset(in value: Slice<UnsafeRawBufferPointer>) -> String? {
    for parameter in value.split(separator: UInt8(ascii: ";")) {
      let parameter = UnsafeRawBufferPointer(rebasing: trimmed(parameter))
      guard matches("charset=", parameter, at: 0) else { continue }
      let name = parameter.dropFirst(8).filter { $0 != UInt8(ascii: "\"") }.map(lowercased)
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// Whether `name` (lower case) is at `start`, ignoring case.
  private static func matches(_ name: StaticString, _ line: UnsafeRawBufferPointer, at start: Int) -> Bool {
    let count = name.utf8CodeUnitCount
    guard line.count - start >= count else { return false }
    for index in 0..<count where lowercased(line[start + index]) != name.utf8Start[index] { return false }
    return true
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var bytes = bytes
    while let first = bytes.first, isBlank(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
    return bytes
  }
}
