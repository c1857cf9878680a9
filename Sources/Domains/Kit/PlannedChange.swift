import DaybookProtocol
import FileStore
import JSON
import JSONRPC

/// A change of a service's that may be large: what it comes to is worked out away from the session, while others are answered. When
/// one of them has changed the store meanwhile it is worked out again, so that a request takes effect on what is there when it is made.
package final class PlannedChange: Sendable {
  /// What it comes to.
  package struct Outcome: Sendable {
    /// What is to be stored; none for a request that changes nothing.
    package let operations: [Operation]
    private let write: @Sendable (_ revision: Int, inout JSONWriter) -> Void

    /// - Parameter write: Writes the result, by the revision of the change, or the present one.
    package init(_ operations: [Operation], _ write: @escaping @Sendable (_ revision: Int, inout JSONWriter) -> Void) {
      self.operations = operations
      self.write = write
    }

    /// The text of the result, by the revision of the change, or the present one.
    package func result(_ revision: Int) -> [UInt8] { JSONWriter.text { write(revision, &$0) } }
  }

  private let body: @Sendable (Snapshot, WorkMonitor) throws(RPCError) -> Outcome

  /// - Parameter body: Works it out on what is stored when it is made. What the request means by the order it came in, it has to know
  ///   from a snapshot of its own. Called once or more, on any thread.
  package init(_ body: @escaping @Sendable (Snapshot, WorkMonitor) throws(RPCError) -> Outcome) { self.body = body }

  /// Works it out.
  ///
  /// - Throws: What refuses the request; `requestCancelled` when `monitor` says so.
  package func outcome(_ snapshot: Snapshot, _ monitor: WorkMonitor) throws(RPCError) -> Outcome {
    let outcome = try body(snapshot, monitor)
    guard !monitor.isCancelled() else {
      throw RPCError(.requestCancelled, "cancelled before anything was committed")
    }
    return outcome
  }
}

extension Snapshot {
  /// Whether a collection has more than so many records.
  package func hasMore(than count: Int, in collection: CollectionName) -> Bool {
    var seen = 0
    forEachRecord(in: collection) { _ in
      seen += 1
      return seen <= count
    }
    return seen > count
  }
}
