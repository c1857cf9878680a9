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
    let names = DayMeasureRegistry.sections
    if let wrong = params.domains?.firstIndex(where: { !names.contains($0) }) {
      throw RPCError(
        .invalidParams, "there is no such section", pointer: "/domains/\(wrong)", allowed: names.joined(separator: ", ")
      )
    }
    let sections = try context.offers.agenda(of: days, only: params.domains, context)
    let isGated = !context.hasPremiumAccess && sections.contains { $0.domain == AgendaService.reminders }
    return AgendaGetResult(
      from: days.lowerBound, to: days.upperBound, sections: sections,
      gatedFields: isGated ? [AgendaService.reminders] : [], revision: try context.storeRevision())
  }

  private static let reminders = "reminders"

  func remindersAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> AgendaPart {
    let ahead = context.today...context.today.advanced(by: AgendaService.maxAgendaDays - 1)
    guard days.overlaps(ahead) else { return AgendaPart([]) }
    let items = try context.offers.reminders(days.clamped(to: ahead)).map { reminder in
      AgendaItem(
        day: reminder.localDay, time: reminder.localTime, title: reminder.title,
        detail: reminder.text.isEmpty ? nil : reminder.text,
        state: reminder.localDay == context.today ? .due : .planned, reminderId: reminder.id)
    }
    return AgendaPart(items, summary: items.isEmpty ? nil : "\(items.count) to come")
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
