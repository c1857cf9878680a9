import CivilTime
import Values

/// The parts of a record's position besides its id, or that the record is deleted.
struct RecordPlace: Sendable {
  let day: CivilDay?
  let createdAt: Instant
  var isGone = false

  /// Nil when the record is deleted.
  func position(of id: EntityID) -> Position? { isGone ? nil : Position(day: day, createdAt: createdAt, id: id) }
}

/// Maps ids to record places: a hash table in parts, so that a change while a snapshot is held copies one small part.
struct IDIndex: Sendable {
  /// The average number of entries per part above which the number of parts is quadrupled.
  private static let fullest = 128

  private var parts: [[EntityID: RecordPlace]] = [[:]]
  private(set) var count = 0

  subscript(id: EntityID) -> RecordPlace? { parts[part(of: id)][id] }

  /// Sets a record's place; returns the previous one.
  @discardableResult mutating func set(_ place: RecordPlace, for id: EntityID) -> RecordPlace? {
    if let old = parts[part(of: id)].updateValue(place, forKey: id) { return old }
    count &+= 1
    if count > parts.count * IDIndex.fullest { enlarge() }
    return nil
  }

  /// The number of parts is a power of two; the bits are mixed so that consecutive ids spread over the parts.
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
