import FileStore
import Values

/// Ids that follow from something, so that the same made twice, by two devices or by a repeated request, is one in the end. UUIDs of
/// version 8, out of the SHA-256 of what is meant and of what it follows from. Stored: none may ever become another.
enum DerivedID {
  /// The id of the favourite of a folded name.
  static func favourite(_ name: [UInt8]) -> EntityID { id(hash("favourite\n", name)) }

  /// The identity of a row of a table, by what tells it from others.
  static func row(ofKey key: String) -> EntityID { id(hash("table row\u{1F}", Array(key.utf8))) }

  /// The first half of the ids of all copies made under an id.
  static func copiesHigh(_ copy: EntityID) -> UInt64 { id(hash("copies\n", bytes(copy))).high }

  /// The second half of the id of the copy of a meal.
  static func copyLow(_ copy: EntityID, of meal: EntityID) -> UInt64 {
    // Not the second half of its hash but the first: so it was stored.
    id((high: 0, low: hash("copy\n", bytes(copy) + bytes(meal)).high)).low
  }

  private static func bytes(_ id: EntityID) -> [UInt8] { Array("\(id)".utf8) }

  /// The first 16 bytes of a hash.
  private static func hash(_ kind: StaticString, _ text: [UInt8]) -> (high: UInt64, low: UInt64) {
    let hash = SHA256.hash(Array("daybook \(kind)".utf8) + text).bytes
    func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    return (number(0..<8), number(8..<16))
  }

  /// An id of 122 bits that are given; the six fixed ones are overwritten.
  private static func id(_ bits: (high: UInt64, low: UInt64)) -> EntityID {
    EntityID(high: (bits.high & ~0xF000) | 0x8000, low: (bits.low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
  }
}
