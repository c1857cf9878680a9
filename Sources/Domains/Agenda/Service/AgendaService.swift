import DomainKit

/// Answers requests for day measures and agendas from what the domains offer.
package final class AgendaService {
  package init() {}

  /// The maximum days of an agenda.
  private static let maxAgendaDays = 62
  /// The maximum days of a measure series.
  private static let maxSeriesDays = 4000
  /// The maximum measures of one request.
  private static let maxMeasures = 20

  func agendaGet(_ params: AgendaGetParams, _ context: inout Context) throws(RPCError) -> AgendaGetResult {
    let days = try AgendaService.days(params.from, params.to, atMost: AgendaService.maxAgendaDays, context)
    return AgendaGetResult(
      from: days.lowerBound, to: days.upperBound, sections: try context.offers.agenda(of: days, context),
      revision: try context.storeRevision())
  }

  func measuresList(_ params: NoParams, _ context: inout Context) throws(RPCError) -> MeasuresListResult {
    MeasuresListResult(measures: DayMeasureRegistry.measures)
  }

  func measuresGet(_ params: MeasuresGetParams, _ context: inout Context) throws(RPCError) -> MeasuresGetResult {
    guard (1...AgendaService.maxMeasures).contains(params.names.count) else {
      throw RPCError(
        .invalidParams, "\(params.names.count) measures are requested", pointer: "/names",
        allowed: "1 to \(AgendaService.maxMeasures) names")
    }
    let days = try AgendaService.days(params.from, params.to, atMost: AgendaService.maxSeriesDays, context)
    var measures: [MeasuredDays] = []
    for name in params.names {
      let measure = DayMeasureName.known.first { $0.rawValue == name } ?? .unknown(name)
      let values = try context.offers.values(of: measure, in: days, context)
      measures.append(MeasuredDays(name: name, source: values == nil ? .noSource : .computed, days: values ?? []))
    }
    return MeasuresGetResult(measures: measures, revision: try context.storeRevision())
  }

  /// The requested range; the current day when neither end is given.
  private static func days(
    _ from: CivilDay?, _ to: CivilDay?, atMost limit: Int, _ context: Context
  ) throws(RPCError) -> ClosedRange<CivilDay> {
    let from = from ?? to.map { min($0, context.currentDay) } ?? context.currentDay
    return try RPCError.days(from, to ?? from, upTo: from.advanced(by: limit - 1))
  }
}
