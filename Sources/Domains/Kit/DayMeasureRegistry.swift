import DaybookProtocol
import JSONRPC

/// A service that computes day measures.
package protocol DayMeasureSource: AnyObject {
  /// The values of a measure, ascending by day, without days that have none; nil when another service computes it.
  func values(
    of name: DayMeasureName, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue]?
}

/// A service with sections in the agenda.
package protocol AgendaSource: AnyObject {
  /// Its agenda sections, each with its items ascending by day.
  func agenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaSection]
}

/// The day measures, agenda sections and entry kinds of all domains, and what they do with their records for others.
/// Domains read each other only through it.
package final class DayMeasureRegistry {
  private let measureSources: [any DayMeasureSource]
  private let agendaSources: [any AgendaSource]
  /// The services that read entries, in service order.
  package let entrySources: [any EntrySource]

  package let records: RecordOffers

  package init(
    measures: [any DayMeasureSource] = [], agenda: [any AgendaSource] = [], entries: [any EntrySource] = [],
    records: RecordOffers = RecordOffers()
  ) {
    self.records = records
    measureSources = measures
    agendaSources = agenda
    entrySources = entries
  }

  /// The values of a measure, ascending by day, without days that have none; nil when no service computes it.
  package func values(
    of name: DayMeasureName, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue]? {
    for source in measureSources {
      if let values = try source.values(of: name, in: days, context) { return values }
    }
    return nil
  }

  /// The agenda sections of all domains in service order, each with its items ascending by day.
  package func agenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaSection] {
    var sections: [AgendaSection] = []
    for source in agendaSources { sections += try source.agenda(of: days, context) }
    return sections
  }
}
