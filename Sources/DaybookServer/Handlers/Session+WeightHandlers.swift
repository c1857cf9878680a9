import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension Session {
  func weightsAdd(_ params: WeightsAddParams, _ call: inout Call) throws(RPCError) -> WeightsAddResult {
    let now = now()
    let typed = TypedWeight(value: params.value, unit: params.unit ?? .kg, pounds: params.pounds)
    let entry = WeightEntry(
      id: params.id ?? options.newID(), day: params.day ?? currentDay, zone: zoneName, at: params.at,
      weight: try kilograms(typed), typed: typed, note: params.note, createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try create(entry, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params)
    }
    return WeightsAddResult(entry: stored, created: isNew, revision: revision)
  }

  func weightsUpdate(_ params: WeightsUpdateParams, _ call: inout Call) throws(RPCError) -> WeightsUpdateResult {
    let record = try record(of: WeightEntry.self, params.id)
    let old = try decode(WeightEntry.self, record)
    var new = old
    new.day = params.day ?? old.day
    new.at = params.at.applied(to: old.at)
    // Pounds belong to the stones they were typed with.
    let isTyped = params.value != nil || params.unit != nil
    new.typed = TypedWeight(
      value: params.value ?? old.typed.value, unit: params.unit ?? old.typed.unit,
      pounds: params.pounds.applied(to: isTyped ? nil : old.typed.pounds))
    if new.typed != old.typed { new.weight = try kilograms(new.typed) }
    new.note = params.note.applied(to: old.note)
    let (entry, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    return WeightsUpdateResult(entry: entry, revision: revision)
  }

  func weightsDelete(_ params: WeightsDeleteParams, _ call: inout Call) throws(RPCError) -> WeightsDeleteResult {
    let (entry, revision) = try delete(WeightEntry.self, params.id, basedOn: params.revision, &call)
    return WeightsDeleteResult(entry: entry, revision: revision)
  }

  func weightsGet(_ params: WeightsGetParams) throws(RPCError) -> WeightsGetResult {
    let record = try record(of: WeightEntry.self, params.id)
    return WeightsGetResult(entry: fragment(record), revision: try revision())
  }

  func weightsList(_ params: WeightsListParams) throws(RPCError) -> WeightsListResult {
    let page = try page(
      of: WeightEntry.self,
      PageRequest(day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor))
    return WeightsListResult(entries: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }

  /// What was typed, in kilograms.
  private func kilograms(_ typed: TypedWeight) throws(RPCError) -> Decimal {
    do throws(MeasureProblem) { return try WeightUnits.kilograms(typed) } catch { throw RPCError(error) }
  }
}

extension RPCError {
  /// What is wrong with something typed in a unit, to a client; `pointer` leads to what its parts are members of.
  init(_ problem: MeasureProblem, pointer: String = "") {
    self.init(.invalidParams, problem.message, pointer: "\(pointer)/\(problem.member)", allowed: problem.allowed)
  }
}

extension WeightEntry {
  /// Whether it has everything that a request to add it says.
  func hasWhat(_ params: WeightsAddParams) -> Bool {
    typed == TypedWeight(value: params.value, unit: params.unit ?? typed.unit, pounds: params.pounds)
      && (params.day == nil || params.day == day) && (params.at == nil || params.at == at)
      && (params.note == nil || params.note == note)
  }
}
