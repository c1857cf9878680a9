import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension Session {
  func daysGet(_ params: DaysGetParams) throws(RPCError) -> DaysGetResult {
    let day = params.day ?? currentDay
    let record = try dayRecord(of: day)
    return DaysGetResult(day: day, entry: record.map { fragment($0) }, revision: try revision())
  }

  func daysUpdate(_ params: DaysUpdateParams, _ call: inout Call) throws(RPCError) -> DaysUpdateResult {
    let day = params.day ?? currentDay
    let record = try dayRecord(of: day)
    let old = try record.map { record throws(RPCError) in try decode(DayEntry.self, record) }
    let now = now()
    let blank = DayEntry(
      id: DayEntryRules.id(of: day), day: day, zone: zoneName, fasted: false, createdAt: now, updatedAt: now)
    var new = old ?? blank
    new.fasted = params.fasted ?? new.fasted
    new.note = params.note.applied(to: new.note)
    try checkBase(params.revision, record, old, new)
    guard new != old ?? blank else {
      return DaysUpdateResult(day: day, entry: old, changed: false, revision: try revision())
    }
    if DayEntryRules.isBlank(new) {
      let revision = try commit([.delete(SessionConstants.days, id: new.id)], &call)
      announce([DayChange(id: new.id, kind: .deleted, day: day)], revision, &call)
      return DaysUpdateResult(day: day, changed: true, revision: revision)
    }
    if let old { new.updatedAt = max(now, old.updatedAt.advanced(by: 1)) }
    let revision = try commit([try put(new, keeping: record)], &call)
    announce([DayChange(id: new.id, kind: old == nil ? .added : .updated, day: day)], revision, &call)
    return DaysUpdateResult(day: day, entry: new, changed: true, revision: revision)
  }

  /// What is noted of a day as a whole, if anything is.
  func dayEntry(of day: CivilDay) throws(RPCError) -> DayEntry? {
    try dayRecord(of: day).map { record throws(RPCError) in try decode(DayEntry.self, record) }
  }

  private func dayRecord(of day: CivilDay) throws(RPCError) -> Record? {
    try snapshot().record(DayEntryRules.id(of: day), in: SessionConstants.days)
  }

  /// Refuses an edit that is based on a revision since which the entry has changed.
  private func checkBase(
    _ base: Int?, _ record: Record?, _ current: DayEntry?, _ yours: DayEntry
  ) throws(RPCError) {
    let present = try revision()
    guard let base else { return }
    let isStale =
      if let record { record.revision > base } else { try wasDeleted(yours.id, since: base, present) }
    guard isStale || base > present else { return }
    throw RPCError(
      .conflict, "the day's entry is not as it was at revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: current.map { value($0) }, yours: value(yours)))
  }

  /// Whether an entry that is not there was so at a revision; what is too long ago counts as that.
  private func wasDeleted(_ id: EntityID, since base: Int, _ present: Int) throws(RPCError) -> Bool {
    guard base < present else { return false }
    let store = try openStore()
    do throws(StoreError) {
      return try store.changes(since: base).records.contains { record in
        record.id == id && record.collection == SessionConstants.days && record.isDeleted && !record.isNew
      }
    } catch {
      guard error.code == .revisionTooOld else { throw RPCError(error) }
      return true
    }
  }

  private func put(_ entry: DayEntry, keeping old: Record?) throws(RPCError) -> Operation {
    .put(
      SessionConstants.days, id: entry.id, day: entry.day, schema: schema(of: DayEntry.self),
      createdAt: entry.createdAt, updatedAt: entry.updatedAt, body: try storedBody(entry, keeping: old))
  }

  /// Tells of changed entries, behind the answer.
  func announce(_ changes: [DayChange], _ revision: Int, _ call: inout Call) {
    call.events.append(
      Event(DaysChangedParams.method, DaysChangedParams(revision: revision, origin: .thisFrontend, changes: changes)))
  }
}
