import FileStore
import Values

/// Ids that follow from something, so that the same made twice, by two devices or by a repeated request, is one in the end. UUIDs of
/// version 8.
enum DerivedID {
  /// The id of the favourite of a folded name.
  static func favourite(_ name: [UInt8]) -> EntityID {
    let (high, low) = halves("favourite", name)
    return EntityID(high: versioned(high), low: varied(low))
  }

  /// The first half of the ids of all copies made under an id.
  static func copiesHigh(_ copy: EntityID) -> UInt64 { versioned(halves("copies", bytes(copy)).0) }

  /// The second half of the id of the copy of a meal.
  static func copyLow(_ copy: EntityID, of meal: EntityID) -> UInt64 {
    varied(halves("copy", bytes(copy) + bytes(meal)).0)
  }

  private static func versioned(_ high: UInt64) -> UInt64 { (high & ~0xF000) | 0x8000 }

  private static func varied(_ low: UInt64) -> UInt64 { (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000 }

  private static func bytes(_ id: EntityID) -> [UInt8] { Array("\(id)".utf8) }

  /// The first 16 bytes of the SHA-256 of what is meant and of what it follows from.
  private static func halves(_ kind: StaticString, _ text: [UInt8]) -> (UInt64, UInt64) {
    let hash = SHA256.hash(Array("daybook \(kind)\n".utf8) + text).bytes
    func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    return (number(0..<8), number(8..<16))
  }
}
