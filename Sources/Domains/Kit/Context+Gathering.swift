import FileStore
import JSONRPC

extension Context {
  /// Makes what `body` commits one change: each commit takes effect for those that follow it, and all are stored
  /// together at the end. When `body` throws, nothing is stored.
  ///
  /// - Returns: The revision of the change; the current one when there is none.
  package mutating func gather(_ body: (inout Context) throws(RPCError) -> Void) throws(RPCError) -> Int {
    let before = revision
    try folder.beginGathering()
    do throws(RPCError) { try body(&self) } catch {
      _ = folder.endGathering()
      revision = before
      throw error
    }
    let operations = folder.endGathering()
    revision = before
    return try commit(operations)
  }
}

extension DataFolder {
  /// What is gathered for one transaction.
  struct Gathering {
    /// The revision at which it began.
    let start: Int
    var operations: [Operation] = []
  }

  func beginGathering() throws(RPCError) {
    let store = try openStore()
    do throws(StoreError) { gathering = Gathering(start: try store.beginGathering()) } catch { throw RPCError(error) }
  }

  /// Takes a transaction into memory and returns the revision that shows it.
  func gather(_ transaction: Transaction) throws(RPCError) -> Int {
    let store = try openStore()
    do throws(StoreError) { seenRevision = try store.gather(transaction) } catch { throw RPCError(error) }
    gathering?.operations += transaction.operations
    return seenRevision
  }

  /// Goes back to the revision at which gathering began, and returns the operations.
  func endGathering() -> [Operation] {
    guard let gathering else { return [] }
    self.gathering = nil
    store?.endGathering(at: gathering.start)
    seenRevision = gathering.start
    // What was computed meanwhile is of revisions that will mean something else.
    invalidateCaches()
    return gathering.operations
  }
}
