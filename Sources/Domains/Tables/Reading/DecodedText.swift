import DaybookProtocol

/// The text of a table in UTF-8, decoded up to its first malformed byte.
package struct DecodedText: Sendable {
  package let encoding: TableEncoding
  package private(set) var utf8: [UInt8] = []
  /// Whether the bytes behind `utf8` are malformed in its encoding.
  private(set) var isCut = false

  /// - Parameter stated: The encoding; nil to detect it by a byte order mark or the zeros of UTF-16, else UTF-8. A byte order
  ///   mark takes precedence.
  /// - Throws: `tooLarge`; `notATable` for binary data.
  package init(_ bytes: [UInt8], stated: TableEncoding?, limits: TableLimits = TableLimits()) throws(TableError) {
    guard bytes.count <= limits.bytes else { throw .tooLarge(limits.bytes) }
    guard let found = TableEncoding.found(in: bytes) else {
      throw TableError(
        .notATable, "The file is an archive, a spreadsheet or other binary data.",
        hint: "take the CSV file out of the archive, or save the spreadsheet as CSV")
    }
    encoding = found.mark > 0 ? found.encoding : stated ?? found.encoding
    let isWhole =
      switch encoding {
      case .utf8, .unknown: takeUTF8(bytes, from: found.mark)
      case .utf16LittleEndian: takeUTF16(bytes, from: found.mark, high: 1)
      case .utf16BigEndian: takeUTF16(bytes, from: found.mark, high: 0)
      case .windows1252: takeWindows1252(bytes, from: found.mark)
      }
    isCut = !isWhole
    // A header has no null character: one in the first line reveals binary data or another encoding.
    let firstLine = utf8.prefix { $0 != 0x0A && $0 != 0x0D }
    if let null = firstLine.firstIndex(of: 0) {
      utf8.removeLast(utf8.count - null)
      isCut = true
    }
  }

  /// Decodes the bytes of a table, as an outcome of its import.
  package static func decode(
    _ bytes: [UInt8], _ options: ScanOptions, limits: TableLimits
  ) throws(TableRefusal) -> DecodedText {
    do throws(TableError) { return try DecodedText(bytes, stated: options.encoding, limits: limits) } catch {
      throw .unreadable(error)
    }
  }

  /// Replaces the whole text by another that is whole.
  package mutating func replace(with text: [UInt8]) { (utf8, isCut) = (text, false) }

  /// Replaces a part of the text by another that has as many line breaks.
  package mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { utf8.replaceSubrange(range, with: bytes) }

  /// Whether a line that ends at an index is complete.
  package func isWhole(to end: Int) -> Bool { end < utf8.count || !isCut }

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
