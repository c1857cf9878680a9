import DomainKit
import JSON
import JSONRPC
import SyncEngine
import SyncRules

/// What waits: changes, deletions, conflicts, an error.
extension SyncRoom {
  func syncQueue(_ params: SyncQueueParams, _ desk: inout Desk) throws(RPCError) -> SyncQueueResult {
    guard let snapshot = try desk.snapshot() else { return SyncQueueResult(items: []) }
    let all = OutboxItem.pending(snapshot, SyncCollections.all).filter {
      params.failed != true || $0.entry.row.needsManualIntervention
    }
    let page = try SyncPage(all, limit: params.limit, after: params.cursor) { "\($0.id)" }
    return SyncQueueResult(items: page.items.map { SyncItem($0) }, nextCursor: page.nextCursor)
  }

  func syncRetry(_ params: SyncRetryParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    let chosen = try items(params.itemIds, desk) { _ in true }
    return changing(&desk) { replica throws(StoreError) in
      try replica.retry(params.itemIds == nil ? nil : Set(chosen.map(\.entry.key)))
    }
  }

  func syncDiscard(_ params: SyncDiscardParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    let chosen = try items(params.itemIds, desk) { $0.entry.row.needsManualIntervention }
    return changing(&desk) { replica throws(StoreError) in try replica.discard(Set(chosen.map(\.entry.key))) }
  }

  /// The items with these ids; those that `isUsual` when there are none.
  private func items(
    _ ids: [EntityID]?, _ desk: Desk, _ isUsual: (OutboxItem) -> Bool
  ) throws(RPCError) -> [OutboxItem] {
    let all = try desk.snapshot().map { OutboxItem.pending($0, SyncCollections.all) } ?? []
    guard let ids else { return all.filter(isUsual) }
    guard (1...1000).contains(ids.count) else {
      throw RPCError(
        .invalidParams, "\(ids.count) ids", pointer: "/itemIds", allowed: "1 to 1000 ids",
        hint: "leave the member out for all")
    }
    let known = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    var chosen: [OutboxItem] = []
    for (index, id) in ids.enumerated() {
      guard let item = known[id] else {
        throw RPCError(
          .notFound, "no such change waits", pointer: "/itemIds/\(index)", hint: "“sync/queue” lists them")
      }
      chosen.append(item)
    }
    return chosen
  }

  func syncConfirm(_ params: SyncConfirmParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    guard try SyncProfile(desk) != nil else { throw SyncFailure.off.error }
    guard let snapshot = try desk.snapshot(), Replica.heldDeletions(in: snapshot) > 0 else {
      throw RPCError(.nothingToDecide, "no deletions wait")
    }
    let restores = params.deletions == .restore
    return changing(&desk, backsUp: !restores) { replica throws(StoreError) in
      try replica.confirm(restoring: restores)
    }
  }

  func syncConflicts(_ params: SyncConflictsParams, _ desk: inout Desk) throws(RPCError) -> SyncConflictsResult {
    guard let snapshot = try desk.snapshot() else { return SyncConflictsResult(conflicts: []) }
    let all = VersionConflict.all(snapshot).filter { $0.isResolved == (params.resolved == true) }
    let page = try SyncPage(all, limit: params.limit, after: params.cursor) { "\($0.id)" }
    return SyncConflictsResult(
      conflicts: page.items.map { SyncConflict($0) }, nextCursor: page.nextCursor)
  }

  func syncResolve(_ params: SyncResolveParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncResolveResult> {
    guard let snapshot = try desk.snapshot(),
      let conflict = VersionConflict.with(params.conflictId, in: snapshot)
    else {
      throw RPCError(
        .notFound, "there is no such conflict", pointer: "/conflictId", hint: "“sync/conflicts” lists them")
    }
    guard !conflict.isResolved else { throw RPCError(.conflictResolved, "the conflict is decided already") }
    let (options, takesOther) = (desk.options, params.keep == .other)
    return Deferred { work throws(RPCError) in
      let worker = SyncWorker(configuration: work.configuration, options: options)
      return try await work.onThread(nil) { _ throws(StoreError) in
        try worker.step { replica throws(StoreError) in
          let resolved = try replica.resolve(conflict, other: takesOther)
          return SyncResolveResult(
            conflict: SyncConflict(resolved), revision: try replica.snapshot().revision)
        }
      }
    }
  }

  func syncDismissError(
    _ params: SyncDismissErrorParams, _ desk: inout Desk
  ) throws(RPCError) -> Deferred<SyncStatus> {
    guard let problem = try desk.snapshot().flatMap({ SyncReport($0).problem }), problem.id == params.errorId else {
      throw RPCError(
        .notFound, "there is no such error", pointer: "/errorId", hint: "“sync/status” has the present one")
    }
    return changing(&desk) { replica throws(StoreError) in
      try replica.report { if $0.problem?.id == problem.id { $0.problem?.isDismissed = true } }
    }
  }
}

/// A page of a list that is sorted already.
private struct SyncPage<Element> {
  let items: ArraySlice<Element>
  let nextCursor: String?

  /// - Parameter cursor: That of the last element of the page before; if it is gone, the list begins again.
  init(
    _ all: [Element], limit: Int?, after cursor: String?, _ name: (Element) -> String
  ) throws(RPCError) {
    var rest = all[...]
    if let cursor {
      guard let last = all.firstIndex(where: { name($0) == cursor }) else {
        throw RPCError(
          .invalidParams, "nothing in the list is where the last page ended", pointer: "/cursor",
          allowed: "the “nextCursor” of the page before", hint: "begin again without it")
      }
      rest = all[(last + 1)...]
    }
    items = rest.prefix(limit ?? 100)
    nextCursor = items.count < rest.count ? items.last.map(name) : nil
  }
}

extension SyncItem {
  fileprivate init(_ item: OutboxItem) {
    let (entry, row) = (item.entry, item.entry.row)
    self.init(
      id: item.id, domain: ChangeFeed.domain(of: entry.key.collection) ?? .sync, recordId: entry.key.id,
      kind: item.isDeletion ? .deleted : row.base == nil ? .added : .updated, priority: item.priority,
      retryCount: row.retryCount, lastAttemptAt: row.lastAttemptAt, lastError: row.lastError,
      needsManualIntervention: row.needsManualIntervention)
  }
}

extension SyncConflict {
  fileprivate init(_ conflict: VersionConflict) {
    self.init(
      id: conflict.id, domain: ChangeFeed.domain(of: conflict.key.collection) ?? .sync, recordId: conflict.key.id,
      at: conflict.at, current: conflict.current.isDeleted ? nil : conflict.current.body.map { .object($0) },
      other: conflict.other.isDeleted ? nil : conflict.other.body.map { .object($0) },
      currentAt: conflict.current.time, otherAt: conflict.other.time, otherDeviceId: conflict.stream,
      resolved: conflict.isResolved)
  }
}
