import FileStore
import SyncRules
import Values

/// How many rows of the outbox are not sent. It follows what changes in the outbox, so that a frontend does not read all
/// rows whenever something is stored.
package struct OutboxCounts: Sendable, Equatable {
  /// Those that a pass sends, and those among them that failed too often.
  package private(set) var pending = 0
  package private(set) var failed = 0
  /// Those that the user gave up.
  package private(set) var discarded = 0
  /// The revision that is counted.
  package private(set) var revision: Int
  private var states: [EntityID: State] = [:]

  /// The collection that it counts.
  package static let collection = OutboxEntry.collection
  /// After more changes it is counted again.
  package static let followedChanges = 1000

  private enum State { case pending, failed, discarded }

  /// Reads all rows.
  package init(_ snapshot: Snapshot) {
    revision = snapshot.revision
    snapshot.forEachRecord(in: OutboxEntry.collection) { stored in
      set(stored.id, OutboxCounts.state(copy stored))
      return true
    }
  }

  /// Moves on to a later snapshot.
  ///
  /// - Parameter changed: The rows that changed since `revision`.
  package mutating func follow(_ changed: some Sequence<EntityID>, in snapshot: Snapshot) {
    revision = snapshot.revision
    for id in changed { set(id, snapshot.record(id, in: OutboxEntry.collection).flatMap(OutboxCounts.state)) }
  }

  private static func state(_ stored: Record) -> State? {
    guard let entry = stored.object.flatMap({ OutboxEntry($0) }), entry.isUnsent else { return nil }
    return entry.isDiscarded ? .discarded : entry.row.needsManualIntervention ? .failed : .pending
  }

  private mutating func set(_ id: EntityID, _ new: State?) {
    count(states[id], -1)
    states[id] = new
    count(new, 1)
  }

  private mutating func count(_ state: State?, _ step: Int) {
    switch state {
    case .pending: pending += step
    case .failed: (pending, failed) = (pending + step, failed + step)
    case .discarded: discarded += step
    case nil: break
    }
  }
}
