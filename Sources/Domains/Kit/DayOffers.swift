import CivilTime
import DaybookProtocol
import JSONRPC

/// A service that computes day measures.
package protocol DayMeasureSource: AnyObject {
  /// A measure on some days, ascending by day, without the days of which there is none; nil when the measure is another service's.
  func values(
    of name: DayMeasureName, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue]?
}

/// A service that has something to show in the agenda.
package protocol AgendaSource: AnyObject {
  /// Its sections, each with the items of some days, ascending by day.
  func agenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaSection]
}

/// What the domains offer each other of a day: none of them knows who is behind it.
package final class DayOffers {
  private let measureSources: [any DayMeasureSource]
  private let agendaSources: [any AgendaSource]

  package init(measures: [any DayMeasureSource] = [], agenda: [any AgendaSource] = []) {
    measureSources = measures
    agendaSources = agenda
  }

  /// A measure on some days, ascending by day, without the days of which there is none; nil when nobody computes it, as of a domain
  /// that this version does not have.
  package func values(
    of name: DayMeasureName, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue]? {
    for source in measureSources {
      if let values = try source.values(of: name, in: days, context) { return values }
    }
    return nil
  }

  /// The sections of all domains in the order of their services, each with the items of some days, ascending by day.
  package func agenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaSection] {
    var sections: [AgendaSection] = []
    for source in agendaSources { sections += try source.agenda(of: days, context) }
    return sections
  }
}
