import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Nutrition
import Values

extension Session {
  func waterAdd(_ params: WaterAddParams, _ call: inout Call) throws(RPCError) -> WaterAddResult {
    let now = now()
    let typed = TypedVolume(value: params.value, unit: params.unit ?? .ml)
    let entry = WaterEntry(
      id: params.id ?? options.newID(), day: params.day ?? currentDay, zone: zoneName, at: params.at,
      volume: try millilitres(typed), typed: typed, note: params.note, createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try create(entry, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params)
    }
    return WaterAddResult(entry: stored, created: isNew, revision: revision)
  }

  func waterUpdate(_ params: WaterUpdateParams, _ call: inout Call) throws(RPCError) -> WaterUpdateResult {
    let record = try record(of: WaterEntry.self, params.id)
    let old = try decode(WaterEntry.self, record)
    var new = old
    new.day = params.day ?? old.day
    new.at = params.at.applied(to: old.at)
    new.typed = TypedVolume(value: params.value ?? old.typed.value, unit: params.unit ?? old.typed.unit)
    if new.typed != old.typed { new.volume = try millilitres(new.typed) }
    new.note = params.note.applied(to: old.note)
    let (entry, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    return WaterUpdateResult(entry: entry, revision: revision)
  }

  func waterDelete(_ params: WaterDeleteParams, _ call: inout Call) throws(RPCError) -> WaterDeleteResult {
    let (entry, revision) = try delete(WaterEntry.self, params.id, basedOn: params.revision, &call)
    return WaterDeleteResult(entry: entry, revision: revision)
  }

  func waterGet(_ params: WaterGetParams) throws(RPCError) -> WaterGetResult {
    let record = try record(of: WaterEntry.self, params.id)
    return WaterGetResult(entry: fragment(record), revision: try revision())
  }

  func waterList(_ params: WaterListParams) throws(RPCError) -> WaterListResult {
    let page = try page(
      of: WaterEntry.self,
      PageRequest(day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor))
    return WaterListResult(entries: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }

  /// What was typed, in millilitres.
  private func millilitres(_ typed: TypedVolume) throws(RPCError) -> Decimal {
    do throws(MeasureProblem) { return try VolumeUnits.millilitres(typed) } catch { throw RPCError(error) }
  }
}

extension WaterEntry {
  /// Whether it has everything that a request to add it says.
  func hasWhat(_ params: WaterAddParams) -> Bool {
    typed == TypedVolume(value: params.value, unit: params.unit ?? typed.unit)
      && (params.day == nil || params.day == day) && (params.at == nil || params.at == at)
      && (params.note == nil || params.note == note)
  }
}
