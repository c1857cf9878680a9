import CivilTime
import Values

/// Where in its collection a record stands, besides its id, or that it is gone.
struct RecordPlace: Sendable {
  let day: CivilDay?
  let createdAt: Instant
  var isGone = false

  /// Nil when it is gone.
  func position(of id: EntityID) -> Position? { isGone ? nil : Position(day: day, createdAt: createdAt, id: id) }
}

/// The way from an id to its record's place: a hash table in parts, so that a change while a snapshot is held copies
/// one small part.
struct IDIndex: Sendable {
  /// Entries per part, on average, above which the number of parts is quadrupled.
  private static let fullest = 128

  private var parts: [[EntityID: RecordPlace]] = [[:]]
  private(set) var count = 0

  /// The place of the record with that id.
  subscript(id: EntityID) -> RecordPlace? { parts[part(of: id)][id] }

  /// Says where the record with that id stands now; returns where it stood.
  @discardableResult mutating func set(_ place: RecordPlace, for id: EntityID) -> RecordPlace? {
    if let old = parts[part(of: id)].updateValue(place, forKey: id) { return old }
    count &+= 1
    if count > parts.count * IDIndex.fullest { enlarge() }
    return nil
  }

  /// The number of parts is a power of two; ids made in a row must not end up in one part, so their bits are mixed.
  private func part(of id: EntityID) -> Int {
    let mixed = (id.high ^ id.low) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 32) & (parts.count &- 1)
  }

  private mutating func enlarge() {
    let old = parts
    parts = Array(repeating: [:], count: old.count * 4)
    for entries in old { for (id, place) in entries { parts[part(of: id)][id] = place } }
  }
}
