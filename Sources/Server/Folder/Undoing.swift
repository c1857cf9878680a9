import DomainKit
import SettingsDocument
import SyncEngine

/// The undo of a change: its operations and its result. Independent of the session.
struct Undoing: Sendable {
  private let entry: UndoEntry?
  /// The change as a sentence, if there is one.
  private let text: String?
  private let now: Instant

  /// - Parameter entry: The change to undo; nil when there is none.
  init(entry: UndoEntry?, text: String?, at now: Instant) {
    self.entry = entry
    self.text = text
    self.now = now
  }

  /// The undone change: its revision and its method.
  typealias Undone = (revision: Int, method: String)

  /// The complete undo, computed on the store's state in a draft.
  struct Prepared: Sendable {
    let transaction: PreparedTransaction
    /// The settings that it restores; nil when it restores none.
    let settings: Settings?
    let result: [UInt8]
    let events: PreparedEvents
  }

  func prepared(
    _ draft: Draft, id: EntityID, author: String, _ label: String, _ monitor: WorkMonitor
  ) throws(RPCError) -> Prepared {
    let (undone, operations) = try operations(in: draft.snapshot, monitor)
    let transaction: PreparedTransaction
    do throws(StoreError) {
      transaction = try draft.prepare(
        Transaction(id: id, at: now, author: author, label: label, undoes: undone.revision, operations: operations))
    } catch { throw RPCError(error) }
    guard let changes = transaction.changes else {
      throw RPCError(.recordTooLarge, "the change is too large to undo")
    }
    return Prepared(
      transaction: transaction, settings: Undoing.settings(in: operations),
      result: JSONWriter.text {
        result(undone, ChangeFeed.changes(changes), revision: changes.revision).encode(to: &$0)
      },
      events: PreparedEvents(changes))
  }

  /// The operations that undo the change.
  ///
  /// - Throws: `nothingToUndo`, `conflict`, `requestCancelled`.
  func operations(
    in snapshot: Snapshot, _ monitor: WorkMonitor
  ) throws(RPCError) -> (undone: Undone, operations: [Operation]) {
    let plan: UndoPlan
    do throws(StoreError) { plan = try entry.plan(in: snapshot, monitor) } catch { throw RPCError(ofWork: error) }
    switch plan {
    case .nothing:
      throw RPCError(
        .nothingToUndo, "there is no such change of yours to undo", hint: "“changes/since” tells what changed")
    case .alreadyUndone: throw RPCError(.nothingToUndo, "the change is already undone", pointer: "/revision")
    case .conflict(_, _, let conflicts):
      // The versions of a record that no client sees would mean nothing to this one.
      let first = conflicts.first { !SessionConstants.ownCollections.contains($0.collection) }
      throw RPCError(
        .conflict, "the record was changed again since" + (text.map { ": \($0)" } ?? ""), pointer: "",
        hint: "undo the later change first, or edit the record",
        conflict: first.map { ConflictVersions(current: json($0.current), yours: json($0.restored)) })
    case .ready(let undone, let label, let operations):
      // What a replacing import had replaced is what it was, and no edit that would win over those of other devices.
      if SyncProfile(snapshot)?.replacements.contains(undone) == true { return ((undone, label), operations) }
      var reader = RecordReader(snapshot)
      return (
        (undone, label),
        operations.map { operation in
          guard case .put(let collection, let id, let day, _, _, _, _) = operation else { return operation }
          return operation.stamped(at: now, replacing: reader.record(id, in: collection, on: day))
        }
      )
    }
  }

  func result(_ undone: Undone, _ changes: [RecordChange], revision: Int) -> UndoResult {
    UndoResult(revision: revision, undoneRevision: undone.revision, method: undone.method, text: text, changes: changes)
  }

  /// The settings that operations put, if they put any that can be read.
  static func settings(in operations: [Operation]) -> Settings? {
    for case .put(Settings.collection, _, _, let schema, _, _, let body) in operations {
      let present = body.withUnsafeBytes { body in
        RecordMigrations.daybook.presentForm(of: body, schema: schema, in: Settings.collection)
      }
      return (present ?? body).withUnsafeBytes { try? Settings(json: $0, strict: false) }
    }
    return nil
  }

  private func json(_ record: Record?) -> JSONValue? {
    record.flatMap { record in record.body.withUnsafeBytes { try? JSONValue(json: $0) } }
  }
}
