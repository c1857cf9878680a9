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
  /// Its agenda sections among `names`, all of them when that is nil.
  func agenda(
    of days: ClosedRange<CivilDay>, only names: [String]?, _ context: Context
  ) throws(RPCError) -> [AgendaSection]
}

/// A section of the agenda as a domain makes it.
package struct AgendaPart {
  /// Ascending by day, then in the domain's order.
  package var items: [AgendaItem]
  /// How the days stand, in a few words.
  package var summary: String?

  package init(_ items: [AgendaItem], summary: String? = nil) {
    self.items = items
    self.summary = summary
  }

  /// Says how many of the items that are due or over are done, if there are any.
  package init(counting items: [AgendaItem], as done: String = "done") {
    let counted = items.filter { [.running, .due, .done, .missed].contains($0.state) }
    let isDone = counted.count { $0.state == .done }
    self.init(items, summary: counted.isEmpty ? nil : "\(isDone) of \(counted.count) \(done)")
  }
}

extension AgendaSection {
  /// The states in the order of a day's items.
  private static let order: [AgendaState] = [.running, .due, .planned, .done, .skipped, .missed]

  package init(_ part: AgendaPart, domain: String, title: String, events: [String]) {
    let places = part.items.map { AgendaSection.order.firstIndex(of: $0.state) ?? AgendaSection.order.count }
    let sorted = part.items.indices.sorted { left, right in
      let (one, other) = (part.items[left], part.items[right])
      if one.day != other.day { return one.day < other.day }
      return places[left] != places[right] ? places[left] < places[right] : left < right
    }
    self.init(
      domain: domain, title: title, events: events, items: sorted.map { part.items[$0] }, summary: part.summary)
  }
}

/// The day measures, agenda sections and entry kinds of all domains, and what they do with their records for others.
/// Domains read each other only through it.
package final class DayMeasureRegistry {
  private let measureSources: () -> [any DayMeasureSource]
  private let agendaSources: () -> [any AgendaSource]
  private let readers: () -> [any EntrySource]
  /// The reminders that fire on some days; the server has them.
  package var reminders: (ClosedRange<CivilDay>) throws(RPCError) -> [Reminder] = { _ in [] }
  /// The services that read entries, in service order.
  package var entrySources: [any EntrySource] { readers() }

  package let records: RecordOffers

  /// A list is made each time it is needed: a start needs none, and would pay for the type of each.
  package init(
    measures: @autoclosure @escaping () -> [any DayMeasureSource] = [],
    agenda: @autoclosure @escaping () -> [any AgendaSource] = [],
    entries: @autoclosure @escaping () -> [any EntrySource] = [], records: RecordOffers = RecordOffers()
  ) {
    self.records = records
    measureSources = measures
    agendaSources = agenda
    readers = entries
  }

  /// The values of a measure, ascending by day, without days that have none; nil when no service computes it.
  package func values(
    of name: DayMeasureName, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue]? {
    for source in measureSources() {
      if let values = try source.values(of: name, in: days, context) { return values }
    }
    return nil
  }

  /// The agenda sections of all domains among `names`, all of them when that is nil, in the order of the domains.
  package func agenda(
    of days: ClosedRange<CivilDay>, only names: [String]?, _ context: Context
  ) throws(RPCError) -> [AgendaSection] {
    var sections: [AgendaSection] = []
    for source in agendaSources() { sections += try source.agenda(of: days, only: names, context) }
    return sections
  }
}
