import DomainKit

/// Changes that services leave to be computed off the session.
extension Session {
  /// Completes a request with such a change, and returns the text of the result: suspends the request to compute the
  /// change, or computes it at once if it cannot be suspended or others keep changing the store.
  func end(with planned: PlannedChange, _ call: inout Call) throws(RPCError) -> [UInt8] {
    guard !call.isInBatch, call.attempts < Session.maximumAttempts else {
      let outcome = try planned.outcome(snapshot(), WorkMonitor())
      return outcome.result(try commit(outcome.operations, &call))
    }
    let draft = try draft()
    let (id, now) = (call.transaction ?? folder.newID(), now())
    let (author, label) = (author, "\(call.method.name)")
    throw call.suspend(
      .work { monitor in
        do throws(RPCError) {
          let outcome = try planned.outcome(draft.snapshot, monitor)
          guard !outcome.operations.isEmpty else {
            return { session, call throws(RPCError) in
              guard try session.revision() == draft.snapshot.revision else {
                return try session.end(with: planned, &call)
              }
              return outcome.result(draft.snapshot.revision)
            }
          }
          let ready = try Session.prepare(
            Transaction(
              id: id, at: now, author: author, label: label, undoes: nil,
              operations: outcome.operations), draft)
          return { session, call throws(RPCError) in
            guard let revision = try session.commit(ready.transaction, &call) else {
              return try session.end(with: planned, &call)
            }
            call.prepared = ready.events
            return outcome.result(revision)
          }
        } catch {
          return { _, _ throws(RPCError) in throw error }
        }
      })
  }

  private static func prepare(
    _ transaction: Transaction, _ draft: Draft
  ) throws(RPCError) -> (transaction: PreparedTransaction, events: PreparedEvents?) {
    do throws(StoreError) {
      let prepared = try draft.prepare(transaction)
      return (prepared, prepared.changes.map { PreparedEvents($0) })
    } catch { throw RPCError(error) }
  }
}
