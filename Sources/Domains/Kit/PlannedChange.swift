import DaybookProtocol
import FileStore
import JSONRPC

/// The outcome of a handler whose change may be large: a small one is made now, a large one is planned outside the
/// session.
package enum Planned<Result> {
  case now(Result)
  case later(PlannedChange)
}

/// A potentially large change, planned outside the session while other requests are answered. If one of those changes
/// the store, it is planned again, so that it always applies to the current state.
package final class PlannedChange: Sendable {
  /// A finished plan.
  package struct Outcome: Sendable {
    /// The operations to commit; none when the request changes nothing.
    package let operations: [Operation]
    private let write: @Sendable (_ revision: Int, inout JSONWriter) -> Void

    /// - Parameter write: Writes the result, given the revision of the change or the current one.
    package init(_ operations: [Operation], _ write: @escaping @Sendable (_ revision: Int, inout JSONWriter) -> Void) {
      self.operations = operations
      self.write = write
    }

    /// The result as JSON, given the revision of the change or the current one.
    package func result(_ revision: Int) -> [UInt8] { JSONWriter.text { write(revision, &$0) } }
  }

  private let body: @Sendable (Snapshot, WorkMonitor) throws(RPCError) -> Outcome

  /// - Parameter body: Plans the change on a snapshot; called once or more, on any thread. What depends on the
  ///   request's position in the message order must come from a snapshot taken earlier.
  package init(_ body: @escaping @Sendable (Snapshot, WorkMonitor) throws(RPCError) -> Outcome) { self.body = body }

  /// Plans the change.
  ///
  /// - Throws: The refusal of the request; `requestCancelled` when `monitor` is cancelled.
  package func outcome(_ snapshot: Snapshot, _ monitor: WorkMonitor) throws(RPCError) -> Outcome {
    let outcome = try body(snapshot, monitor)
    guard !monitor.isCancelled() else {
      throw RPCError(.requestCancelled, "cancelled before anything was committed")
    }
    return outcome
  }
}

extension Snapshot {
  /// Whether a collection has more than `count` records.
  package func hasMore(than count: Int, in collection: CollectionName) -> Bool {
    var seen = 0
    forEachRecord(in: collection) { _ in
      seen += 1
      return seen <= count
    }
    return seen > count
  }
}
