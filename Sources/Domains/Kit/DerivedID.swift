import FileStore
import Values

/// Ids that follow from something, so that the same made twice, by two devices or by a repeated request, is one in the end. UUIDs of
/// version 8, out of the SHA-256 of what is meant and of what it follows from. Stored: none may ever become another.
package enum DerivedID {
  /// The id that follows from a text; `kind` tells what is meant from everything else.
  package static func id(_ kind: StaticString, _ text: [UInt8]) -> EntityID { id(hash(kind, text)) }

  /// The first 16 bytes of a hash.
  package static func hash(_ kind: StaticString, _ text: [UInt8]) -> (high: UInt64, low: UInt64) {
    let hash = SHA256.hash(Array("daybook \(kind)".utf8) + text).bytes
    func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    return (number(0..<8), number(8..<16))
  }

  /// An id of 122 bits that are given; the six fixed ones are overwritten.
  package static func id(_ bits: (high: UInt64, low: UInt64)) -> EntityID {
    EntityID(high: (bits.high & ~0xF000) | 0x8000, low: (bits.low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
  }
}
