import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension Measurement: DerivedEntity, UpdatableEntity {}

extension NutritionService {
  func measurementsList(
    _ params: MeasurementsListParams, _ context: inout Context
  ) throws(RPCError) -> MeasurementsListResult {
    let request = PageRequest(
      day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor)
    let key = params.kind.map { MeasurementRules.key($0) }
    let page = try context.page(of: Measurement.self, request) { view throws(RPCError) in
      guard let key else { return true }
      return MeasurementRules.key(try context.decode(Measurement.self, view.record).kind) == key
    }
    return MeasurementsListResult(
      measurements: page.texts.map { JSONFragment(unchecked: $0) }, nextCursor: page.nextCursor, revision: page.revision
    )
  }

  func measurementsKinds(_ params: NoParams, _ context: inout Context) throws(RPCError) -> MeasurementsKindsResult {
    var all: [Measurement] = []
    for record in try context.snapshot().records(in: Measurement.collection) {
      all.append(try context.decode(Measurement.self, record))
    }
    return MeasurementsKindsResult(kinds: MeasurementRules.kinds(all), revision: try context.storeRevision())
  }
}
