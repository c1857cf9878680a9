import DaybookProtocol

/// The ids that the rows of a table have or would have.
struct TableKeys: Sendable {
  private let identities: [RowIdentity?]
  private let derive: @Sendable (String) -> EntityID
  /// The rows by the ids that they state.
  private var stated: [EntityID: Int] = [:]
  private var slots: [Slot?] = []
  /// The first halves of the keys' ids; 0 where ids have no halves.
  private var halves: [UInt64] = []
  private var keys: [UInt64: Int] = [:]
  /// The rows by the ids that derive from a key and a number.
  private var numbered: [EntityID: Int] = [:]

  /// The place of a row that states no id.
  private struct Slot {
    let key: Int
    /// The number of earlier rows with its key.
    let ordinal: Int
    /// The number of earlier rows with its key and content.
    var copy = 0
  }

  /// Where an id belongs.
  enum Place: Equatable {
    /// A row that states it.
    case row(Int)
    /// A key, with the place of the row among those of the key, where the id tells it.
    case key(Int, ordinal: Int?)
  }

  /// - Parameter derive: The id derived from a text.
  init(_ rows: [(id: EntityID?, identity: RowIdentity?)], _ derive: @escaping @Sendable (String) -> EntityID) {
    identities = rows.map(\.identity)
    self.derive = derive
    var (numbers, ordinals, former, copies) = ([String: Int](), [Int](), [String: Int](), [EntityID: Int]())
    for (index, row) in rows.enumerated() {
      if let id = row.id { stated[id] = index }
      guard let identity = row.identity else {
        slots.append(nil)
        continue
      }
      let key = numbers[identity.key] ?? numbers.count
      if key == ordinals.count {
        numbers[identity.key] = key
        ordinals.append(0)
        halves.append(0)
        if case .content = identity {
          halves[key] = derive("rows\u{1F}" + identity.key).high
          keys[halves[key]] = key
        }
      }
      var slot = Slot(key: key, ordinal: ordinals[key])
      ordinals[key] += 1
      switch identity {
      case .key(let key): numbered[derive(key)] = index
      case .numbered(let key): numbered[id(ofKey: key, slot.ordinal)] = index
      case .content(let text, let hash, let other):
        let id = id(halves[key], hash)
        slot.copy = copies[id, default: 0]
        copies[id] = slot.copy + 1
        let ordinal = other.map { former[$0, default: 0] } ?? slot.ordinal
        if let other { former[other] = ordinal + 1 }
        numbered[self.id(ofKey: other ?? text, ordinal)] = index
      }
      slots.append(slot)
    }
  }

  private func id(ofKey key: String, _ ordinal: Int) -> EntityID { derive("\(key)\u{1F}\(ordinal)") }

  /// An id of two halves: the key's and the content's, with the six fixed bits of a derived id.
  private func id(_ half: UInt64, _ content: UInt64) -> EntityID {
    EntityID(high: half, low: content & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// The place of an id; nil for one of no row.
  func place(of id: EntityID) -> Place? {
    if let row = stated[id] { return .row(row) }
    guard id.isDerived else { return nil }
    if let slot = numbered[id].flatMap({ slots[$0] }) { return .key(slot.key, ordinal: slot.ordinal) }
    return keys[id.high].map { .key($0, ordinal: nil) }
  }

  /// The id that a row would have, or the one of another copy of it; nil when it has no other copies.
  func id(of row: Int, copy: Int? = nil) -> EntityID? {
    guard let slot = slots[row], let identity = identities[row] else { return nil }
    switch identity {
    case .key(let key): return copy == nil ? derive(key) : nil
    case .numbered(let key): return id(ofKey: key, copy ?? slot.ordinal)
    case .content(_, let hash, _): return id(halves[slot.key], hash &+ UInt64(copy ?? slot.copy))
    }
  }

  /// The id of a row whose place does not matter; nil for other rows.
  func ownID(of row: Int) -> EntityID? {
    if case .numbered = identities[row] { nil } else { id(of: row) }
  }

  /// The number of earlier rows with the row's key.
  func ordinal(of row: Int) -> Int? { slots[row]?.ordinal }

  /// The rows of some keys, in order.
  func rows(ofKeys wanted: Set<Int>) -> [(key: Int, rows: [Int])] {
    guard !wanted.isEmpty else { return [] }
    var found: [Int: [Int]] = [:]
    for (row, slot) in slots.enumerated() {
      if let slot, wanted.contains(slot.key) { found[slot.key, default: []].append(row) }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Gives new rows ids that no stored entity has: that of the row or, where it is taken, that of another copy.
  struct NewIDs {
    private let keys: TableKeys
    private var taken: Set<EntityID>
    /// The keys that stored entities have.
    private let shared: Set<Int>

    init(_ keys: TableKeys, shared: Set<Int>, stored: Set<EntityID>) {
      (self.keys, self.shared, taken) = (keys, shared, stored)
    }

    mutating func next(_ row: Int) -> EntityID? {
      guard let slot = keys.slots[row], shared.contains(slot.key) else { return keys.id(of: row) }
      var id = keys.id(of: row)
      var copy = 0
      while let next = id, !taken.insert(next).inserted {
        id = keys.id(of: row, copy: copy)
        copy += 1
      }
      return id
    }
  }
}
