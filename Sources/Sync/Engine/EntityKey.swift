import FileStore
import JSON
import SyncRules
import Values

/// A record's name across devices.
package struct EntityKey: Hashable, Sendable {
  package let collection: CollectionName
  package let id: EntityID

  package init(_ collection: CollectionName, _ id: EntityID) {
    self.collection = collection
    self.id = id
  }

  /// The id of what sync keeps about the record: two collections may use one id.
  var bookkeepingID: EntityID { derived(from: []) }

  /// An id for something about the record.
  func derived(from text: [UInt8]) -> EntityID {
    let bytes = (Array("\(collection)/\(id)".utf8) + text).withUnsafeBytes { SHA256.hash($0) }.bytes
    func word(_ start: Int) -> UInt64 { bytes[start..<(start + 8)].reduce(0) { $0 &<< 8 | UInt64($1) } }
    // A UUID of version 8 and variant 1.
    return EntityID(
      high: word(0) & ~0xF000 | 0x8000, low: word(8) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}

extension EntityKey: Comparable {
  package static func < (left: EntityKey, right: EntityKey) -> Bool {
    left.collection == right.collection
      ? left.id < right.id : left.collection.rawValue.utf8.lexicographicallyPrecedes(right.collection.rawValue.utf8)
  }
}

/// How the records of a collection travel.
package struct SyncedCollection: Sendable {
  package let policy: MergePolicy
  /// Lower goes first, 1…9.
  package let priority: Int
  /// The members that stay on the device.
  package let localMembers: Set<String>
  /// Their values on a device that never set them.
  package let localDefaults: JSONObject
  /// How much of a body this version understands.
  package var understanding: BodyUnderstanding = { _, _, _ in .whole }

  package init(_ policy: MergePolicy, priority: Int = 9, localDefaults: JSONObject = JSONObject()) {
    self.policy = policy
    self.priority = priority
    self.localDefaults = localDefaults
    localMembers = Set(localDefaults.members.map(\.name))
  }
}

/// How much of a record's body a version of the program understands.
package enum Understanding: Sendable {
  case whole
  /// It reads the rest with defaults.
  case partial
  /// The record is kept beside its collection, so that no reader meets it.
  case none
}

/// How much of a body with a number of its stored form is understood.
package typealias BodyUnderstanding =
  @Sendable (_ body: [UInt8], _ schema: Int, _ collection: CollectionName) -> Understanding

/// How each collection travels; nil for one that does not.
package typealias SyncedCollections = @Sendable (CollectionName) -> SyncedCollection?
