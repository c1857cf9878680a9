import Values

/// Maps an id to its record's index in one segment: an open-addressing hash table of indices, four bytes each, at most
/// half full. The ids themselves stay in the segment.
struct SegmentIDTable: Sendable {
  /// The record's index plus one; 0 is free.
  private var slots: [UInt32]
  private let mask: Int

  init(count: Int) {
    var size = 16
    while size < count &* 2 { size &*= 2 }
    slots = Array(repeating: 0, count: size)
    mask = size &- 1
  }

  var memory: Int { slots.capacity * MemoryLayout<UInt32>.stride }

  mutating func insert(_ id: EntityID, _ index: Int) {
    var slot = start(id)
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = UInt32(truncatingIfNeeded: index &+ 1)
  }

  /// The index of the record with that id; `idAt` returns the id at an index.
  func index(of id: EntityID, _ idAt: (Int) -> EntityID) -> Int? {
    var slot = start(id)
    while slots[slot] != 0 {
      let index = Int(slots[slot] &- 1)
      if idAt(index) == id { return index }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// Mixes the bits, because consecutive ids must not collide.
  private func start(_ id: EntityID) -> Int {
    let mixed = (id.high ^ id.low) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 32) & mask
  }
}
