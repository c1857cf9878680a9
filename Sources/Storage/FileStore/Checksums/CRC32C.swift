import ChecksumInstructions

/// The checksum CRC-32C (Castagnoli; RFC 3720 appendix B.4), by the processor's instruction if available, else sixteen
/// bytes at a time (“slicing by 16”).
package enum CRC32C {
  /// Continues the checksum `previous` of earlier bytes with `bytes`.
  package static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    CRC32CInstruction.isSupported
      ? CRC32CInstruction.checksum(bytes, after: previous) : checksumByTables(bytes, after: previous)
  }

  /// Computes the checksum without the instruction.
  static func checksumByTables(_ bytes: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 {
    guard let base = bytes.baseAddress else { return previous }
    return tables.withUnsafeBufferPointer { tables in
      guard let table = tables.baseAddress else { return previous }
      var crc = ~previous
      var at = 0
      while bytes.count &- at >= 16 {
        let low = UInt64(littleEndian: (base + at).loadUnaligned(as: UInt64.self)) ^ UInt64(crc)
        let high = UInt64(littleEndian: (base + at + 8).loadUnaligned(as: UInt64.self))
        // The later bytes come first: they do not depend on the checksum so far.
        crc = eight(table, high) ^ eight(table + 8 &* 256, low)
        at &+= 16
      }
      if bytes.count &- at >= 8 {
        let word = UInt64(littleEndian: (base + at).loadUnaligned(as: UInt64.self)) ^ UInt64(crc)
        crc = eight(table, word)
        at &+= 8
      }
      while at < bytes.count {
        crc = crc &>> 8 ^ entry(table, 0, UInt64(crc) ^ UInt64(bytes[at]))
        at &+= 1
      }
      return ~crc
    }
  }

  package static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum($0) } }

  /// The contribution of the eight bytes of `word`; `table` is chosen by the number of bytes after them.
  @inline(__always) private static func eight(_ table: UnsafePointer<UInt32>, _ word: UInt64) -> UInt32 {
    let low = entry(table, 7, word) ^ entry(table, 6, word &>> 8)
    let middleLow = entry(table, 5, word &>> 16) ^ entry(table, 4, word &>> 24)
    let middleHigh = entry(table, 3, word &>> 32) ^ entry(table, 2, word &>> 40)
    let high = entry(table, 1, word &>> 48) ^ entry(table, 0, word &>> 56)
    return (low ^ middleLow) ^ (middleHigh ^ high)
  }

  /// The entry of table `number` for the lowest byte of `word`.
  @inline(__always) private static func entry(_ table: UnsafePointer<UInt32>, _ number: Int, _ word: UInt64) -> UInt32 {
    table[number &* 256 &+ Int(truncatingIfNeeded: word & 0xFF)]
  }

  /// Sixteen tables of 256 entries; table n has the contribution of a byte followed by n more bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc &>> 1 ^ 0x82F6_3B78 : crc &>> 1 }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let previous = tables[index - 256]
      tables[index] = previous &>> 8 ^ tables[Int(previous & 0xFF)]
    }
    return tables
  }()
}
