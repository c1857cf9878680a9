import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC

/// Tells what the domains offer of a day: their measures, and what they have for the agenda. It knows none of them.
package final class AgendaService {
  package init() {}

  /// How many days an agenda has at most.
  private static let longestAgenda = 62
  /// How many days a series of values has at most.
  private static let longestSeries = 4000

  func agendaGet(_ params: AgendaGetParams, _ context: inout Context) throws(RPCError) -> AgendaGetResult {
    let days = try AgendaService.days(params.from, params.to, atMost: AgendaService.longestAgenda, context)
    return AgendaGetResult(
      from: days.lowerBound, to: days.upperBound, sections: try context.offers.agenda(of: days, context),
      revision: try context.storeRevision())
  }

  func measuresList(_ params: NoParams, _ context: inout Context) throws(RPCError) -> MeasuresListResult {
    MeasuresListResult(measures: DayOffers.measures)
  }

  func measuresGet(_ params: MeasuresGetParams, _ context: inout Context) throws(RPCError) -> MeasuresGetResult {
    guard (1...MeasuresGetParams.mostNames).contains(params.names.count) else {
      throw RPCError(
        .invalidParams, "that is \(params.names.count) measures", pointer: "/names",
        allowed: "1 to \(MeasuresGetParams.mostNames) names")
    }
    let days = try AgendaService.days(params.from, params.to, atMost: AgendaService.longestSeries, context)
    var measures: [MeasuredDays] = []
    for name in params.names {
      let measure = DayMeasureName.known.first { $0.rawValue == name } ?? .unknown(name)
      let values = try context.offers.values(of: measure, in: days, context)
      measures.append(MeasuredDays(name: name, source: values == nil ? .noSource : .computed, days: values ?? []))
    }
    return MeasuresGetResult(measures: measures, revision: try context.storeRevision())
  }

  /// The days asked for: from one to another, the current day when neither is named.
  private static func days(
    _ from: CivilDay?, _ to: CivilDay?, atMost limit: Int, _ context: Context
  ) throws(RPCError) -> ClosedRange<CivilDay> {
    let from = from ?? to.map { min($0, context.currentDay) } ?? context.currentDay
    return try RPCError.days(from, to ?? from, upTo: from.advanced(by: limit - 1))
  }
}

extension MeasuresGetParams {
  /// How many measures one request may ask for.
  static let mostNames = 20
}
