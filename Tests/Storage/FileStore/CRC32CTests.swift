import ChecksumInstructions
import Testing

@testable import FileStore

struct CRC32CTests {
  // RFC 3720 appendix B.4, and the check value of the CRC catalogue.
  @Test(
    "The published vectors are reproduced",
    arguments: [
      (Array("123456789".utf8), 0xE306_9283),
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      (Array(0...31), 0x46DD_794E),
      (Array((0...31).reversed()), 0x113F_DB5C),
      ([], 0),
    ] as [([UInt8], UInt32)])
  func vectors(_ bytes: [UInt8], _ expected: UInt32) {
    #expect(CRC32C.checksum(bytes) == expected)
  }

  @Test("A checksum can be continued from any place")
  func carriesOn() {
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = CRC32C.checksum(bytes)
    for cut in 0...bytes.count {
      let first = bytes[..<cut].withUnsafeBytes { CRC32C.checksum($0) }
      #expect(bytes[cut...].withUnsafeBytes { CRC32C.checksum($0, after: first) } == whole)
    }
  }

  @Test("The processor's instruction and the tables agree, for any length and alignment")
  func instruction() {
    guard CRC32CInstruction.isSupported else { return }
    // Long enough for the three parts that are read in turn, twice.
    let bytes = (0..<1200).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 5 &* $0) }
    bytes.withUnsafeBytes { bytes in
      for start in 0..<17 {
        for end in Array(start...300) + Array(370...420) + Array(760...bytes.count) {
          let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
          let previous = UInt32(truncatingIfNeeded: start &* 0x9E37_79B9 &+ end)
          #expect(
            CRC32CInstruction.checksum(part, after: previous) == CRC32C.checksumByTables(part, after: previous))
        }
      }
    }
  }
}
