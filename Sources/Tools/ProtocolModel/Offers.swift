/// A day measure that a domain offers to others: a number per civil day, computed on demand.
package struct DayMeasureDefinition: Sendable {
  package var name: String
  package var doc: String
  /// A value of the enumeration `MeasureUnit`.
  package var unit: String
  /// The notifications that tell of its change: those of the collections that it is computed from.
  package var events: [String]
  /// The file and the JSON Pointer of its definition.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object(["name", "doc", "unit", "events", "since"])
    place = node.place
    name = try node.string("name")
    doc = try node.string("doc")
    unit = try node.string("unit")
    events = try node.strings("events")
  }
}

/// A domain's section in the agenda of a day.
package struct AgendaDefinition: Sendable {
  /// Its name, if it is not the domain's.
  package var name: String?
  package var title: String
  package var doc: String
  /// The notifications that tell of its change.
  package var events: [String]
  /// The file and the JSON Pointer of its definition.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object(["name", "title", "doc", "events", "since"])
    place = node.place
    name = try node.optionalString("name")
    title = try node.string("title")
    doc = try node.string("doc")
    events = try node.strings("events")
  }
}

/// A kind of entry that a domain reads from a line of text.
package struct EntryKindDefinition: Sendable {
  package var name: String
  package var doc: String
  /// A line of this kind.
  package var example: String
  /// The file and the JSON Pointer of its definition.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object(["name", "doc", "example", "since"])
    place = node.place
    name = try node.string("name")
    doc = try node.string("doc")
    example = try node.string("example")
  }
}

extension Specification {
  /// Throws unless every day measure and agenda section has a service and existing events.
  func checkOffers() throws(SpecificationError) {
    try checkUnique(domains.flatMap(\.measures).map { ($0.name, $0.place) }, "measure")
    try checkUnique(domains.flatMap(\.recordOffers).map { ($0.name, $0.place) }, "offer")
    try checkUnique(domains.flatMap(\.entries).map { ($0.name, $0.place) }, "entry kind")
    let notifications = Set(notifications.map(\.method))
    for domain in domains {
      if domain.service == nil, let place = domain.recordOffers.first?.place ?? domain.entries.first?.place {
        throw SpecificationError(place, "no service of the domain answers it")
      }
      for (place, events) in domain.offers {
        guard domain.service != nil else { throw SpecificationError(place, "no service of the domain answers it") }
        guard !events.isEmpty else { throw SpecificationError(place + "/events", "no event tells of its change") }
        for (index, event) in events.enumerated() where !notifications.contains(event) {
          throw SpecificationError("\(place)/events/\(index)", "there is no notification “\(event)”")
        }
      }
    }
  }
  /// Throws unless every event of a day measure is that of a collection, by which the consequences of a change are found.
  func checkMeasures() throws(SpecificationError) {
    let events = Set(domains.flatMap(\.types).compactMap(\.collection?.event))
    for measure in domains.flatMap(\.measures) {
      for (index, event) in measure.events.enumerated() where !events.contains(event) {
        throw SpecificationError(
          "\(measure.place)/events/\(index)", "a measure is computed from records: “\(event)” reports no collection")
      }
    }
  }
}

/// What a domain does with its records for others: a protocol of the Kit with the same name, to which its service
/// conforms.
package struct RecordOfferDefinition: Sendable {
  package var name: String
  package var doc: String
  /// The file and the JSON Pointer of its definition.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object(["name", "doc"])
    place = node.place
    name = try node.string("name")
    doc = try node.string("doc")
  }
}
