/// A value that a domain's service derives from its records and keeps up to date.
package struct ProjectionDefinition: Sendable {
  /// The name of the property that holds it.
  package var name: String
  package var doc: String
  /// Whether the domain's measures, agenda section or reminders are read from it.
  package var isOffered: Bool
  /// Whether the domain's entry kinds are read with it.
  package var readsEntries: Bool
  /// The file and the JSON Pointer of its definition.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object(["name", "doc", "offered", "entries"])
    place = node.place
    name = try node.string("name")
    doc = try node.string("doc")
    isOffered = try node.bool("offered")
    readsEntries = try node.bool("entries")
  }
}

extension Specification {
  /// Stands for all projections that are offered, and for all that entries are read with.
  private static let (offers, entries) = ("offers", "entries")

  /// The projections that have to be there before a request is answered, each with its service.
  package func projections(neededBy message: Message, in domain: Domain) -> [(service: String, name: String)] {
    let needs = message.request?.needs ?? []
    return domains.flatMap { other in
      other.projections.filter { projection in
        needs.contains(projection.name) && other.service == domain.service
          || needs.contains(Specification.offers) && projection.isOffered
          || needs.contains(Specification.entries) && projection.readsEntries
      }.map { (other.service ?? "", $0.name) }
    }
  }

  /// Throws unless every projection has a service, and every request needs projections of its own service.
  func checkProjections() throws(SpecificationError) {
    try checkUnique(domains.flatMap(\.projections).map { ($0.name, $0.place) }, "projection")
    for domain in domains {
      for projection in domain.projections
      where domain.service == nil || [Specification.offers, Specification.entries].contains(projection.name) {
        throw SpecificationError(projection.place, "a projection belongs to a service, and has a name of its own")
      }
      let own = Set(domains.filter { $0.service == domain.service }.flatMap(\.projections).map(\.name))
      for message in domain.requests {
        guard let request = message.request, !request.needs.isEmpty else { continue }
        guard request.effect == .read else {
          throw SpecificationError(message.place + "/needs", "only a read can wait for projections")
        }
        for (index, need) in request.needs.enumerated()
        where !own.contains(need) && need != Specification.offers && need != Specification.entries {
          throw SpecificationError("\(message.place)/needs/\(index)", "the service has no projection “\(need)”")
        }
      }
    }
  }

  /// Throws if a request is planned and cannot be.
  func checkPlanned() throws(SpecificationError) {
    for domain in domains {
      for message in domain.requests {
        guard let request = message.request, request.isPlanned else { continue }
        guard request.effect != .read, !request.isHeavy, request.room == nil, message.plainVerb == nil else {
          throw SpecificationError(
            message.place + "/planned", "only a change by a service or the session that is not heavy can be planned")
        }
      }
    }
  }
}
