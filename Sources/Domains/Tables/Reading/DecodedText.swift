import DaybookProtocol

/// A text in UTF-8, decoded up to its first malformed byte.
struct DecodedText {
  enum Fault: Equatable {
    /// The bytes after `utf8` are malformed in this encoding.
    case malformed(TableEncoding)
    /// The bytes are not text.
    case binary
  }

  private(set) var encoding: TableEncoding?
  private(set) var utf8: [UInt8] = []
  private(set) var fault: Fault?

  /// - Parameter stated: The encoding; nil to detect it. A byte order mark takes precedence.
  init(_ bytes: [UInt8], stated: TableEncoding?) {
    guard let found = TableEncoding.found(in: bytes) else {
      fault = .binary
      return
    }
    let encoding = found.mark > 0 ? found.encoding : stated ?? found.encoding
    self.encoding = encoding
    let isWhole =
      switch encoding {
      case .utf8, .unknown: takeUTF8(bytes, from: found.mark)
      case .utf16LittleEndian: takeUTF16(bytes, from: found.mark, high: 1)
      case .utf16BigEndian: takeUTF16(bytes, from: found.mark, high: 0)
      case .windows1252: takeWindows1252(bytes, from: found.mark)
      }
    if !isWhole { fault = .malformed(encoding) }
    // A header has no null character: one in the first line reveals binary data or another encoding.
    let firstLine = utf8.prefix { $0 != 0x0A && $0 != 0x0D }
    if let null = firstLine.firstIndex(of: 0) {
      utf8.removeLast(utf8.count - null)
      fault = .malformed(encoding)
    }
  }

  private mutating func takeUTF8(_ bytes: [UInt8], from start: Int) -> Bool {
    let end = bytes.withUnsafeBufferPointer { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      var at = start
      while at < bytes.count {
        // Eight ASCII characters at a time.
        if at &+ 8 <= bytes.count,
          UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          at &+= 8
          continue
        }
        let length = UTF8Scan.length(base + at, count: bytes.count &- at)
        guard length > 0 else { return at }
        at &+= length
      }
      return at
    }
    utf8 = start == 0 && end == bytes.count ? bytes : Array(bytes[start..<max(start, end)])
    return end == bytes.count
  }

  private mutating func takeWindows1252(_ bytes: [UInt8], from start: Int) -> Bool {
    for byte in bytes[start...] {
      append((0x80...0x9F).contains(byte) ? TableEncoding.windows[Int(byte) - 0x80] : UInt32(byte))
    }
    return true
  }

  private mutating func takeUTF16(_ bytes: [UInt8], from start: Int, high: Int) -> Bool {
    func unit(_ at: Int) -> UInt32 { UInt32(bytes[at + high]) << 8 | UInt32(bytes[at + 1 - high]) }
    var at = start
    while at + 1 < bytes.count {
      var value = unit(at)
      if value & 0xF800 == 0xD800 {
        guard value < 0xDC00, at + 3 < bytes.count, unit(at + 2) & 0xFC00 == 0xDC00 else { return false }
        value = 0x10000 + (value & 0x3FF) << 10 + (unit(at + 2) & 0x3FF)
        at += 2
      }
      append(value)
      at += 2
    }
    return at == bytes.count
  }

  private mutating func append(_ value: UInt32) {
    guard value >= 0x80 else { return utf8.append(UInt8(truncatingIfNeeded: value)) }
    guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return }
    utf8.append(contentsOf: encoded)
  }
}

extension TableEncoding {
  /// The encoding that the first bytes show, and the length of its byte order mark; nil for binary data.
  fileprivate static func found(in bytes: [UInt8]) -> (encoding: TableEncoding, mark: Int)? {
    let first = Array(bytes.prefix(4))
    func begins(_ mark: UInt8...) -> Bool { first.starts(with: mark) }
    if begins(0xEF, 0xBB, 0xBF) { return (.utf8, 3) }
    // UTF-32, ZIP (which new spreadsheets are), PDF, PNG, old spreadsheets, gzip.
    if begins(0xFF, 0xFE, 0, 0) || begins(0, 0, 0xFE, 0xFF) || begins(0x50, 0x4B, 3, 4)
      || begins(0x25, 0x50, 0x44, 0x46)
      || begins(0x89, 0x50, 0x4E, 0x47) || begins(0xD0, 0xCF, 0x11, 0xE0) || begins(0x1F, 0x8B)
    {
      return nil
    }
    if begins(0xFF, 0xFE) { return (.utf16LittleEndian, 2) }
    if begins(0xFE, 0xFF) { return (.utf16BigEndian, 2) }
    // A header begins with ASCII, of which every other byte is zero in UTF-16.
    if first.count >= 4, first[0] != 0, first[1] == 0, first[2] != 0, first[3] == 0 { return (.utf16LittleEndian, 0) }
    if first.count >= 4, first[0] == 0, first[1] != 0, first[2] == 0, first[3] != 0 { return (.utf16BigEndian, 0) }
    return (.utf8, 0)
  }

  /// The characters of 0x80…0x9F in Windows-1252; unassigned ones are control characters, as on the web.
  fileprivate static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]
}

/// Detects what separates the cells of a table.
enum Delimiter {
  /// In order of likelihood.
  private static let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// The delimiter that a table's beginning, which includes the first row, shows.
  ///
  /// - Returns: The delimiter, and the length of a first line that only names it (`sep=;`, a spreadsheet convention).
  static func found(in head: ArraySlice<UInt8>) -> (delimiter: UInt8, skipped: Int) {
    if let named = named(in: head) { return named }
    var counts = [Int](repeating: 0, count: candidates.count)
    var isQuoted = false
    var hasText = false
    for byte in head {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D {
        if hasText { break } else { continue }
      }
      hasText = true
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return (candidates[counts.firstIndex(of: most) ?? 0], 0)
  }

  private static func named(in head: ArraySlice<UInt8>) -> (delimiter: UInt8, skipped: Int)? {
    let end = head.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? head.endIndex
    var line = head[..<end]
    if line.count >= 2, line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") {
      line = line.dropFirst().dropLast()
    }
    guard line.count == 5, line.prefix(3).map({ $0 | 0x20 }) == Array("sep".utf8),
      line.dropFirst(3).first == UInt8(ascii: "="),
      let delimiter = line.last, delimiter == 9 || (0x20...0x7E).contains(delimiter), delimiter != UInt8(ascii: "\"")
    else { return nil }
    let isCRLF = head[end...].starts(with: [0x0D, 0x0A])
    return (delimiter, min(end + (isCRLF ? 2 : 1), head.endIndex) - head.startIndex)
  }
}
