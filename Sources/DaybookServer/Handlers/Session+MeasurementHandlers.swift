import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Nutrition
import Values

extension Session {
  func measurementsAdd(_ params: MeasurementsAddParams, _ call: inout Call) throws(RPCError) -> MeasurementsAddResult {
    let now = now()
    let entry = Measurement(
      id: params.id ?? options.newID(), day: params.day ?? currentDay, zone: zoneName, at: params.at,
      kind: params.kind, value: params.value, secondValue: params.secondValue, unit: params.unit, note: params.note,
      createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try create(entry, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params)
    }
    return MeasurementsAddResult(entry: stored, created: isNew, revision: revision)
  }

  func measurementsUpdate(
    _ params: MeasurementsUpdateParams, _ call: inout Call
  ) throws(RPCError) -> MeasurementsUpdateResult {
    let record = try record(of: Measurement.self, params.id)
    let old = try decode(Measurement.self, record)
    var new = old
    new.day = params.day ?? old.day
    new.at = params.at.applied(to: old.at)
    new.kind = params.kind ?? old.kind
    new.value = params.value ?? old.value
    new.secondValue = params.secondValue.applied(to: old.secondValue)
    new.unit = params.unit.applied(to: old.unit)
    new.note = params.note.applied(to: old.note)
    let (entry, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    return MeasurementsUpdateResult(entry: entry, revision: revision)
  }

  func measurementsDelete(
    _ params: MeasurementsDeleteParams, _ call: inout Call
  ) throws(RPCError) -> MeasurementsDeleteResult {
    let (entry, revision) = try delete(Measurement.self, params.id, basedOn: params.revision, &call)
    return MeasurementsDeleteResult(entry: entry, revision: revision)
  }

  func measurementsGet(_ params: MeasurementsGetParams) throws(RPCError) -> MeasurementsGetResult {
    let record = try record(of: Measurement.self, params.id)
    return MeasurementsGetResult(entry: fragment(record), revision: try revision())
  }

  func measurementsList(_ params: MeasurementsListParams) throws(RPCError) -> MeasurementsListResult {
    let request = PageRequest(
      day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor)
    let key = params.kind.map { MeasurementRules.key($0) }
    let page = try page(
      of: Measurement.self, request, where: key.map { key in { MeasurementRules.key($0.kind) == key } })
    return MeasurementsListResult(entries: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }

  func measurementsKinds(_ params: NoParams) throws(RPCError) -> MeasurementsKindsResult {
    var all: [Measurement] = []
    for record in try snapshot().records(in: SessionConstants.measurements) {
      all.append(try decode(Measurement.self, record))
    }
    return MeasurementsKindsResult(kinds: MeasurementRules.kinds(all), revision: try revision())
  }
}

extension Measurement {
  /// Whether it has everything that a request to add it says.
  func hasWhat(_ params: MeasurementsAddParams) -> Bool {
    kind == params.kind && value == params.value && (params.day == nil || params.day == day)
      && (params.at == nil || params.at == at)
      && (params.secondValue == nil || params.secondValue == secondValue)
      && (params.unit == nil || params.unit == unit) && (params.note == nil || params.note == note)
  }
}
