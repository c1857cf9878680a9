import DomainKit
import SettingsDocument

extension Session {
  func changesSince(_ params: ChangesSinceParams) throws(RPCError) -> ChangesSinceResult {
    _ = try revision()
    let page = try feed.changes(since: params.revision, limit: params.limit ?? SessionConstants.pageSize)
    return ChangesSinceResult(changes: page.changes, revision: page.revision, hasMore: !page.isComplete)
  }

  func eventsSubscribe(_ params: EventsSubscribeParams, _ call: inout Call) throws(RPCError) -> EventsSubscribeResult {
    let wanted = params.domains.map(Set.init)
    if let revision = params.fromRevision {
      if isLocked { throw RPCError(.locked, "the app is locked", hint: "“lock/unlock” has the user open it") }
      _ = try self.revision()
      call.events += try feed.events(since: revision, of: wanted).all
    }
    client.subscribed = wanted
    client.hasSubscribed = true
    return EventsSubscribeResult(
      domains: EventDomain.known.filter { wanted?.contains($0) ?? true }, revision: try revision())
  }

  func changesUndo(
    _ params: ChangesUndoParams, _ call: inout Call
  ) throws(RPCError) -> Resumable<UndoResult> {
    guard let revision = params.revision else { return try undo(undoEntry { _ in true }, &call) }
    return try undo(undoEntry(revision: revision), &call)
  }

  /// Undoes the latest change by some methods, which have a prefix.
  func undo(of methods: String, _ params: NoParams, _ call: inout Call) throws(RPCError) -> Resumable<UndoResult> {
    try undo(undoEntry { $0.hasPrefix(methods) }, &call)
  }

  /// The number of record changes up to which an undo is computed on the session: it takes less than a millisecond.
  private static let fewChanges = 64

  /// Undoes a change, and publishes that as any change. The undo of a large change is computed off the session.
  private func undo(_ entry: UndoEntry?, _ call: inout Call) throws(RPCError) -> Resumable<UndoResult> {
    let undoing = Undoing(entry: entry, text: try text(of: entry), at: now())
    if let entry, entry.count > Session.fewChanges, call.mayWait, !call.isAuthenticated {
      let draft = try draft()
      let id = call.transaction ?? folder.newID()
      let (author, label) = (author, "\(call.method.name)")
      return .later(
        .work { monitor in
          do throws(RPCError) {
            let ready = try undoing.prepared(draft, id: id, author: author, label, monitor)
            return { session, call throws(RPCError) in try session.finish(ready, &call) }
          } catch {
            return { _, _ throws(RPCError) in throw error }
          }
        })
    }
    let (undone, operations) = try undoing.operations(in: snapshot(), WorkMonitor())
    if let prompt = try beginUndo(Undoing.settings(in: operations), call) { return .later(prompt) }
    let before = try revision()
    let revision = try commit(operations, undoing: undone.revision, &call)
    endUndo(&call)
    return .now(undoing.result(undone, try feed.changes(since: before).changes, revision: revision))
  }

  /// The reading of an entry, from the stored answer to it; nil for any other change.
  private func text(of entry: UndoEntry?) throws(RPCError) -> String? {
    guard let id = entry?.transaction,
      let known = try withStore({ store throws(StoreError) in try store.known(id) }),
      let result = known.result, case .object(let answer)? = try? JSONValue(json: result),
      case .object(let reading)? = answer["reading"], case .string(let text)? = reading["text"]
    else { return nil }
    return text
  }

  private func finish(_ ready: Undoing.Prepared, _ call: inout Call) throws(RPCError) -> Resumed {
    if let prompt = try beginUndo(ready.settings, call) { return .waits(prompt) }
    guard try commit(ready.transaction, &call) != nil else { return .begins }
    call.prepared = ready.events
    endUndo(&call)
    return .done(ready.result)
  }

  /// Returns what an undo that restores settings has to wait for.
  private func beginUndo(_ restored: Settings?, _ call: Call) throws(RPCError) -> Preparation? {
    // An undo does not bypass a gate.
    if let restored, let prompt = try checkGates(from: settings(), to: restored, call) { return prompt }
    // The completion of the onboarding survives an undo.
    mirrorOnboarding()
    return nil
  }

  private func endUndo(_ call: inout Call) {
    preview.knownOnboarding = nil
    call.afterReply { $0.refreshDerivedState() }
  }
}
