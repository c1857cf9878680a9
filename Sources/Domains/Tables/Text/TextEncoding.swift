import DaybookProtocol

extension TableEncoding {
  /// What the first bytes of a text say, and how many of them are its mark; nil for what is no text at all. Four bytes are enough.
  static func found(in bytes: ArraySlice<UInt8>) -> (encoding: TableEncoding, mark: Int)? {
    let first = Array(bytes.prefix(4))
    func begins(_ mark: UInt8...) -> Bool { first.starts(with: mark) }
    if begins(0xEF, 0xBB, 0xBF) { return (.utf8, 3) }
    // UTF-32, archives (which spreadsheets are), PDF, PNG, old spreadsheets, compressed files.
    if begins(0xFF, 0xFE, 0, 0) || begins(0, 0, 0xFE, 0xFF) || begins(0x50, 0x4B, 3, 4)
      || begins(0x25, 0x50, 0x44, 0x46)
      || begins(0x89, 0x50, 0x4E, 0x47) || begins(0xD0, 0xCF, 0x11, 0xE0) || begins(0x1F, 0x8B)
    {
      return nil
    }
    if begins(0xFF, 0xFE) { return (.utf16LittleEndian, 2) }
    if begins(0xFE, 0xFF) { return (.utf16BigEndian, 2) }
    // A header begins with ASCII, of which UTF-16 leaves every other byte zero.
    if first.count >= 4, first[0] != 0, first[1] == 0, first[2] != 0, first[3] == 0 { return (.utf16LittleEndian, 0) }
    if first.count >= 4, first[0] == 0, first[1] != 0, first[2] == 0, first[3] != 0 { return (.utf16BigEndian, 0) }
    return (.utf8, 0)
  }

  /// What Windows-1252 has in 0x80…0x9F; what it leaves open is a control character, as on the web.
  static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]
}
