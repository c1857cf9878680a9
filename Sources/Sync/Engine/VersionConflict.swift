import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// Two versions of a record that were made without knowledge of each other, as an internal record.
package struct VersionConflict: Equatable, Sendable {
  package let key: EntityKey
  /// The version that is in force.
  package let current: SyncedRecord
  /// The version that lost.
  package let other: SyncedRecord
  /// The stream that said what came in.
  package let stream: String
  package let at: Instant
  /// Whether the user has chosen.
  package var isResolved = false

  /// How long a conflict is kept, in days, and how many are.
  static let (maximumAge, maximumCount) = (90, 1000)

  package static let collection = CollectionName("sync-conflicts")

  /// The same conflict has the same id, however often it is found.
  package var id: EntityID {
    let text = [SyncLine(key, current), SyncLine(key, other)].flatMap { JSONValue.object($0.json).json }
    return key.derived(from: text)
  }
}

extension VersionConflict {
  var json: JSONObject {
    JSONObject([
      ("collection", .text(key.collection)), ("id", .text(key.id)), ("at", .text(at)), ("stream", .string(stream)),
      ("current", .object(SyncLine(key, current).json)), ("other", .object(SyncLine(key, other).json)),
      ("resolved", .bool(isResolved)),
    ])
  }

  init?(_ object: JSONObject) {
    guard let key = EntityKey(object), let at = object.instant("at"), let stream = object.text("stream"),
      let current = object.object("current").flatMap({ SyncLine($0) }),
      let other = object.object("other").flatMap({ SyncLine($0) })
    else { return nil }
    self.init(key: key, current: current.record, other: other.record, stream: stream, at: at)
    isResolved = object["resolved"] == .bool(true)
  }
}

/// The rule by which versions are in conflict.
struct ConflictRule {
  let collection: SyncedCollection

  /// Whether an incoming version and a local one, which differ, were made without knowledge of each other.
  ///
  /// - Parameters:
  ///   - entry: The row of the local record; nil if it has none.
  ///   - isSaidFirst: Whether the local record was said when the remote was configured, and the sender may not have
  ///     seen that.
  ///   - seen: The counters that the sender had seen of each stream.
  func isConflict(
    _ local: SyncedRecord, _ incoming: SyncedRecord, _ entry: OutboxEntry?, isSaidFirst: Bool, seen: [String: Int]
  ) -> Bool {
    let policy = collection.policy
    guard !policy.haveEqualContent(local, incoming) else { return false }
    guard isSaidFirst || entry.map({ isConcurrent($0, policy.version(of: incoming), seen) }) == true else {
      return false
    }
    return policy.changedAlike(local, incoming, since: entry?.row.base?.time)
  }

  private func isConcurrent(_ entry: OutboxEntry, _ incoming: SyncVersion, _ seen: [String: Int]) -> Bool {
    // The edit was made on top of it.
    if let base = entry.row.base, incoming <= base { return false }
    guard let sent = entry.sent else { return true }
    return seen[sent.stream] ?? 0 < sent.counter
  }
}
