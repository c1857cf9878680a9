import CivilTime

/// The header block of a file in a ustar archive.
struct TarHeader {
  /// The maximum length of a file in bytes: eleven octal digits.
  static let largestFile = (1 << 33) - 1

  let bytes: [UInt8]

  /// Nil when the name or size does not fit. A name is relative, without empty parts, `.` or `..`; it has at most 100
  /// bytes, or a slash with at most 155 bytes before it and 100 after it.
  init?(name: String, size: Int, modifiedAt: Instant) {
    guard (0...TarHeader.largestFile).contains(size), let (prefix, rest) = TarHeader.split(name) else { return nil }
    var block = [UInt8](repeating: 0, count: TarWriter.block)
    func put(_ text: some Sequence<UInt8>, at offset: Int) {
      for (index, byte) in text.enumerated() { block[offset + index] = byte }
    }
    func put(octal number: Int, digits: Int, at offset: Int) {
      let text = String(number, radix: 8)
      put((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8, at: offset)
    }
    put(rest, at: 0)
    put(octal: 0o600, digits: 7, at: 100)
    // The owner is omitted, because the archive is made to be shared.
    put(octal: 0, digits: 7, at: 108)
    put(octal: 0, digits: 7, at: 116)
    put(octal: size, digits: 11, at: 124)
    let seconds = min(max(0, modifiedAt.milliseconds / 1000), Int64(TarHeader.largestFile))
    put(octal: Int(seconds), digits: 11, at: 136)
    put([UInt8](repeating: UInt8(ascii: " "), count: 8), at: 148)
    block[156] = UInt8(ascii: "0")
    put("ustar\0".utf8, at: 257)
    put("00".utf8, at: 263)
    put(prefix, at: 345)
    // The checksum is computed with blanks in its own place.
    put(octal: block.reduce(0) { $0 + Int($1) }, digits: 6, at: 148)
    block[154] = 0
    bytes = block
  }

  private static let longestName = 100
  private static let longestPrefix = 155

  private static func split(_ name: String) -> (prefix: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !name.utf8.contains(0) else { return nil }
    let bytes = Array(name.utf8)
    if bytes.count <= longestName { return ([], bytes[...]) }
    let slash = bytes.indices.first {
      bytes[$0] == UInt8(ascii: "/") && bytes.count - $0 - 1 <= longestName
    }
    guard let slash, slash <= longestPrefix else { return nil }
    return (bytes[..<slash], bytes[(slash + 1)...])
  }
}
