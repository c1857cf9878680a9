import DomainKit

/// Changes that services leave to be computed off the session.
extension Session {
  /// Completes a request with a change that its service leaves to be planned, if it does.
  func end(with planned: PlannedChange?, _ call: inout Call) throws(RPCError) -> Preparation? {
    guard let planned else { return nil }
    switch try end(with: planned, &call) as Resumed {
    case .done(let text): call.result = text
    case .waits(let preparation): return preparation
    case .begins: break
    }
    return nil
  }

  /// Has the change computed off the session, or computes it at once if the request cannot wait or others keep changing
  /// the store.
  func end(with planned: PlannedChange, _ call: inout Call) throws(RPCError) -> Resumed {
    guard call.mayWait else {
      let outcome = try planned.outcome(snapshot(), WorkMonitor())
      return .done(outcome.result(try commit(outcome.operations, &call)))
    }
    let draft = try draft()
    let (id, now) = (call.transaction ?? folder.newID(), now())
    let (author, label) = (author, "\(call.method.name)")
    return .waits(
      .work { monitor in
        do throws(RPCError) {
          let outcome = try planned.outcome(draft.snapshot, monitor)
          guard !outcome.operations.isEmpty else {
            return { session, call throws(RPCError) in
              guard try session.revision() == draft.snapshot.revision else {
                return try session.end(with: planned, &call)
              }
              return .done(outcome.result(draft.snapshot.revision))
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
            return .done(outcome.result(revision))
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
