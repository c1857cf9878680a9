#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether a JSON text of at least two bytes occurs in these bytes. Searches for the second byte with `memchr`: the
  /// first byte of every name is a quote, and the letter after it is rarer.
  package func contains(quoted text: [UInt8]) -> Bool {
    text.withUnsafeBytes { text in
      guard let start = baseAddress, let wanted = text.baseAddress, text.count > 1, count >= text.count else {
        return false
      }
      let letter = Int32(text[1])
      let last = count - text.count + 1
      var at = 1
      while at <= last, let found = memchr(start + at, letter, last - at + 1) {
        at = UnsafeRawPointer(found) - start
        if memcmp(start + at - 1, wanted, text.count) == 0 { return true }
        at += 1
      }
      return false
    }
  }

  /// Whether both have the same bytes.
  package func isSame(as other: [UInt8]) -> Bool { other.withUnsafeBytes { isSame(as: $0) } }

  /// Whether both have the same bytes.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let wanted = other.baseAddress else { return true }
    return memcmp(start, wanted, count) == 0
  }
}
