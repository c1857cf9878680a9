import CivilTime
import CollectionTables
import FileStoreTesting
import JSON
import Values

@testable import SyncRules

/// A record that is edited at random on several devices.
struct RandomRecord {
  private let policy: MergePolicy
  private var random: SeededGenerator

  init(_ policy: MergePolicy, seed: UInt64, _ number: Int) {
    self.policy = policy
    random = SeededGenerator(seed: seed, number: number)
  }

  mutating func id() -> EntityID { EntityID(high: random.next(), low: random.next()) }

  /// Three versions on three devices that share a past, with many equal times.
  mutating func threeVersions() -> (SyncedRecord, SyncedRecord, SyncedRecord) {
    var past = first()
    for _ in 0..<random.below(3) { past = edited(past) }
    var versions: [SyncedRecord] = []
    for _ in 0..<3 {
      var version = random.below(6) == 0 ? first() : past
      for _ in 0..<random.below(4) { version = edited(version) }
      versions.append(version)
    }
    return (versions[0], versions[1], versions[2])
  }

  /// A record as a program without sync has stored it.
  private mutating func first() -> SyncedRecord {
    let (created, updated) = (random.below(3), 3 + random.below(3))
    return SyncedRecord(
      body(), createdAt: Instant(milliseconds: Int64(created)), updatedAt: Instant(milliseconds: Int64(updated)))
  }

  /// A later version: changed, deleted, or made again.
  mutating func edited(_ previous: SyncedRecord) -> SyncedRecord {
    let time = Instant(milliseconds: Int64(random.below(12))).following(previous.time)
    if !previous.isDeleted, random.below(4) == 0 { return policy.deleted(previous, at: time) }
    let made = previous.createdAt ?? Instant(milliseconds: 0)
    return policy.edited(previous, to: body(near: previous.body), createdAt: made, at: time)
  }

  private mutating func body(near body: JSONObject? = nil) -> JSONObject {
    guard case .byPart(let lists) = policy else {
      var body = body ?? JSONObject()
      for name in ["a", "b", "c"] where random.below(2) == 0 {
        body[name] = name == "b" && random.below(2) == 0 ? .string("f") : value()
      }
      if random.below(5) == 0 { body["c"] = nil }
      return body
    }
    var body = body ?? JSONObject()
    if random.below(2) == 0 { body["name"] = value() }
    for list in lists where random.below(2) == 0 {
      var parts = list.parts(of: body) ?? []
      switch random.below(4) {
      case 0: parts.removeAll { $0.key == "p" }
      case 1: parts.reverse()
      default:
        let key = ["p", "q", "r"][random.below(3)]
        var part = JSONObject([(list.key, .string(key)), ("v", value())])
        if random.below(2) == 0 { part["updatedAt"] = .string("\(Instant(milliseconds: Int64(random.below(3))))") }
        if let index = parts.firstIndex(where: { $0.key == key }) {
          parts[index] = (key, part)
        } else {
          parts.append((key, part))
        }
      }
      body[list.name] = random.below(9) == 0 ? nil : .array(parts.map { .object($0.part) })
    }
    return body
  }

  private mutating func value() -> JSONValue {
    random.below(5) == 0 ? .null : .number(JSONNumber(random.below(3)))
  }
}
