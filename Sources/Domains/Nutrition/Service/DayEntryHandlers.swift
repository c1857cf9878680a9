import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension NutritionService {
  func daysGetEntry(_ params: DaysGetEntryParams, _ context: inout Context) throws(RPCError) -> DaysGetEntryResult {
    let day = params.day ?? context.currentDay
    let record = try dayRecord(of: day, context)
    return DaysGetEntryResult(
      day: day, dayEntry: record.map { context.fragment($0) }, revision: try context.storeRevision())
  }

  func daysUpdateEntry(
    _ params: DaysUpdateEntryParams, _ context: inout Context
  ) throws(RPCError) -> DaysUpdateEntryResult {
    let day = params.day ?? context.currentDay
    let record = try dayRecord(of: day, context)
    let old = try record.map { record throws(RPCError) in try context.decode(DayEntry.self, record) }
    let now = context.now
    let blank = DayEntry(
      id: DayEntryRules.id(of: day), day: day, zone: context.zoneName, fasted: false, createdAt: now, updatedAt: now)
    var new = old ?? blank
    new.fasted = params.fasted ?? new.fasted
    new.note = params.note.applied(to: new.note)
    try checkBase(params.revision, record, old, new, context)
    guard new != old ?? blank else {
      return DaysUpdateEntryResult(day: day, dayEntry: old, changed: false, revision: try context.storeRevision())
    }
    if DayEntryRules.isBlank(new) {
      let revision = try context.commit([.delete(DayEntry.collection, id: new.id)])
      return DaysUpdateEntryResult(day: day, changed: true, revision: revision)
    }
    new.updatedAt = now.following(old?.updatedAt)
    let revision = try context.commit([try context.put(new, keeping: record)])
    return DaysUpdateEntryResult(day: day, dayEntry: new, changed: true, revision: revision)
  }

  func dayEntry(of day: CivilDay, _ context: Context) throws(RPCError) -> DayEntry? {
    try dayRecord(of: day, context).map { record throws(RPCError) in try context.decode(DayEntry.self, record) }
  }

  private func dayRecord(of day: CivilDay, _ context: Context) throws(RPCError) -> Record? {
    try context.snapshot().record(DayEntryRules.id(of: day), in: DayEntry.collection)
  }

  /// Refuses an edit whose base revision is stale, or in the future.
  private func checkBase(
    _ base: Int?, _ record: Record?, _ current: DayEntry?, _ yours: DayEntry, _ context: Context
  ) throws(RPCError) {
    let present = try context.storeRevision()
    guard let base else { return }
    let isStale =
      if let record { record.revision > base } else { try wasDeleted(yours.id, since: base, present, context) }
    guard isStale || base > present else { return }
    throw RPCError(
      .conflict, "the day's entry has changed since revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: current.map { jsonValue($0) }, yours: jsonValue(yours)))
  }

  /// Whether an entry was deleted since a revision; true for revisions that are too old.
  private func wasDeleted(_ id: EntityID, since base: Int, _ present: Int, _ context: Context) throws(RPCError) -> Bool
  {
    guard base < present else { return false }
    let store = try context.folder.openStore()
    do throws(StoreError) {
      return try store.changes(since: base).records.contains { record in
        record.id == id && record.collection == DayEntry.collection && record.isDeleted && !record.isNew
      }
    } catch {
      guard error.code == .revisionTooOld else { throw RPCError(error) }
      return true
    }
  }
}

extension DayEntry: CheckedEntity {
  /// Refuses an id that is not derived from the day.
  package var problem: Refusal? {
    let own = DayEntryRules.id(of: day)
    return id == own ? nil : Refusal("/id", "a day has one entry, \(day) has \(own)")
  }
}
