#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether a JSON text of two bytes or more occurs in these bytes. Found by its second byte, since a quote begins every name and
  /// the letter behind it is rarer; the processor compares many bytes at once.
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

  /// Whether they are those bytes.
  package func isSame(as other: [UInt8]) -> Bool { other.withUnsafeBytes { isSame(as: $0) } }

  /// The same for bytes anywhere.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let wanted = other.baseAddress else { return true }
    return memcmp(start, wanted, count) == 0
  }
}
