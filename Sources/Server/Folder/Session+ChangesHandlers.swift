import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import SettingsDocument

extension Session {
  func changesSince(_ params: ChangesSinceParams) throws(RPCError) -> ChangesSinceResult {
    let page = try changes(since: params.revision, limit: params.limit ?? SessionConstants.pageSize)
    return ChangesSinceResult(changes: page.changes, revision: page.revision, hasMore: page.more)
  }

  func eventsSubscribe(_ params: EventsSubscribeParams, _ call: inout Call) throws(RPCError) -> EventsSubscribeResult {
    let wanted = params.domains.map(Set.init)
    if let revision = params.fromRevision {
      if isLocked { throw RPCError(.locked, "the app is locked", hint: "“lock/unlock” has the user open it") }
      let page = try changes(since: revision, limit: .max)
      let missed = page.changes.filter { wanted?.contains($0.domain) ?? true }
      let isOurs = missed.allSatisfy { folder.ownRevisions.contains($0.revision) }
      call.events += Session.events(for: missed, origin: isOurs ? .thisFrontend : .otherProcess)
    }
    client.subscribed = wanted
    return EventsSubscribeResult(
      domains: EventDomain.known.filter { wanted?.contains($0) ?? true }, revision: try revision())
  }

  func changesUndo(_ params: ChangesUndoParams, _ call: inout Call) throws(RPCError) -> UndoResult {
    guard let revision = params.revision else { return try undo(undoPlan { _ in true }, &call) }
    return try undo(undoPlan(revision: revision), &call)
  }

  /// Carries out a plan for taking a change back, and tells of it as of any change.
  func undo(_ plan: UndoPlan, _ call: inout Call) throws(RPCError) -> UndoResult {
    switch plan {
    case .nothing:
      throw RPCError(
        .nothingToUndo, "there is no such change of yours to take back", hint: "“changes/since” tells what changed")
    case .alreadyUndone: throw RPCError(.nothingToUndo, "that change was taken back already", pointer: "/revision")
    case .conflict(_, _, let conflicts):
      let first = conflicts.first
      throw RPCError(
        .conflict, "the record was changed again since", pointer: "",
        hint: "undo the later change first, or edit the record",
        conflict: ConflictVersions(current: json(first?.current), yours: json(first?.restored)))
    case .ready(let undone, let label, let operations):
      let before = try snapshot()
      let settingsBefore = try settings()
      var reader = RecordReader(before)
      let operations = operations.map { stamped($0, &reader) }
      // What is closed is not opened by taking back that it was shut.
      if let restored = Session.settings(in: operations) { try checkGates(from: settingsBefore, to: restored) }
      // That the introduction was completed is not taken back.
      mirrorOnboarding()
      let revision = try commit(operations, undoing: undone, &call)
      let changes = operations.compactMap { Session.change($0, &reader, revision: revision) }
      preview.knownOnboarding = nil
      call.afterwards { $0.followChanges() }
      return UndoResult(revision: revision, undoneRevision: undone, method: label, changes: changes)
    }
  }

  /// The settings that operations put, if they put any that can be read.
  private static func settings(in operations: [Operation]) -> Settings? {
    for case .put(Settings.collection, _, _, let schema, _, _, let body) in operations {
      let present = body.withUnsafeBytes { body in
        RecordMigrations.daybook.presentForm(of: body, schema: schema, in: Settings.collection)
      }
      return (present ?? body).withUnsafeBytes { try? Settings(json: $0, strict: false) }
    }
    return nil
  }

  /// An operation that restores a record, with the instant of the restoring: a record's last change never goes back in time.
  private func stamped(_ operation: Operation, _ before: inout RecordReader) -> Operation {
    guard case .put(let collection, let id, let day, let schema, let created, let updated, let body) = operation else {
      return operation
    }
    let latest = max(updated, before.record(id, in: collection, on: day)?.updatedAt ?? updated)
    let stamp = max(now(), latest.advanced(by: 1))
    var text = body
    if case .object(var object)? = try? JSONValue(json: body), object[SessionConstants.updateStamp] != nil {
      object[SessionConstants.updateStamp] = .string("\(stamp)")
      text = JSONValue.object(object).json
    }
    return .put(collection, id: id, day: day, schema: schema, createdAt: created, updatedAt: stamp, body: text)
  }

  private func json(_ record: Record?) -> JSONValue? {
    record.flatMap { record in record.body.withUnsafeBytes { try? JSONValue(json: $0) } }
  }

  /// What an operation did, given the state before it; nil when it did nothing that clients are told of.
  private static func change(_ operation: Operation, _ before: inout RecordReader, revision: Int) -> RecordChange? {
    switch operation {
    case .put(let collection, let id, let day, _, _, _, _):
      guard let domain = Session.domain(of: collection) else { return nil }
      let old = before.record(id, in: collection)
      return RecordChange(
        domain: domain, id: id, kind: old == nil ? .added : .updated, day: day,
        previousDay: old?.day == day ? nil : old?.day, revision: revision)
    case .delete(let collection, let id):
      guard let domain = Session.domain(of: collection), let old = before.record(id, in: collection)
      else { return nil }
      return RecordChange(domain: domain, id: id, kind: .deleted, day: old.day, revision: revision)
    }
  }

  func mealsUndo(_ params: NoParams, _ call: inout Call) throws(RPCError) -> UndoResult {
    try undo(undoPlan(matching: { $0.hasPrefix("meals/") }), &call)
  }
}
