import FileStore
import Values

/// Ids derived from content, so that two devices, or a repeated request, create the same record. UUIDs of version 8
/// from the SHA-256 of a kind and the content. They are stored, so no derivation may ever change.
package enum DerivedID {
  /// The id derived from a text; `kind` separates the uses.
  package static func id(_ kind: StaticString, _ text: [UInt8]) -> EntityID { id(hash(kind, text)) }

  /// The first 16 bytes of the hash.
  package static func hash(_ kind: StaticString, _ text: [UInt8]) -> (high: UInt64, low: UInt64) {
    let hash = SHA256.hash(Array("daybook \(kind)".utf8) + text).bytes
    func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    return (number(0..<8), number(8..<16))
  }

  /// An id from 122 bits; the six fixed bits are overwritten.
  package static func id(_ bits: (high: UInt64, low: UInt64)) -> EntityID {
    EntityID(high: (bits.high & ~0xF000) | 0x8000, low: (bits.low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
  }
}
