/// The borders of domains. The files with the same service are one domain, which can be left out together with its code;
/// a file without a service belongs to the server, which is always there.
extension Specification {
  /// Throws at the first reference to a type, an error or an event behind a border: a domain refers to its own files, to
  /// those of the server and to the common one; the server refers to no domain; the common file refers to itself only.
  func checkBorders() throws(SpecificationError) {
    let homes = Homes(
      types: domains.reduce(into: [:]) { homes, domain in
        for type in allTypes(of: domain) { homes[type.name] = domain }
      },
      errors: domains.reduce(into: [:]) { homes, domain in
        for error in domain.errors { homes[error.name] = domain }
      },
      events: domains.reduce(into: [:]) { homes, domain in
        for notification in domain.notifications { homes[notification.method] = domain }
      })
    for domain in domains { try check(domain, homes) }
  }

  /// The domain file in which each name is defined.
  private struct Homes {
    var types: [String: Domain]
    var errors: [String: Domain]
    var events: [String: Domain]
  }

  private func check(_ domain: Domain, _ homes: Homes) throws(SpecificationError) {
    let shared = "define it in domains/\(Domain.commonName).json"
    func check(
      _ what: String, _ name: String?, in homes: [String: Domain], at place: String, remedy: String
    ) throws(SpecificationError) {
      guard let name, let home = homes[name], !domain.mayReferTo(home) else { return }
      let owner = home.service.map { "the domain \($0)" } ?? "the server"
      throw SpecificationError(
        place, "the \(what) “\(name)” belongs to \(owner) (domains/\(home.name).json); \(remedy)")
    }
    for type in allTypes(of: domain) {
      for member in type.members {
        try check("type", member.type.reference, in: homes.types, at: member.place + "/type", remedy: shared)
        try check("type", member.form?.reference, in: homes.types, at: member.place + "/form", remedy: shared)
      }
    }
    for message in domain.requests {
      guard let request = message.request else { continue }
      try check("type", request.result.reference, in: homes.types, at: message.place + "/result", remedy: shared)
      try check(
        "type", request.partialItem?.reference, in: homes.types, at: message.place + "/partialItem", remedy: shared)
      for (index, error) in request.errors.enumerated() {
        try check("error", error, in: homes.errors, at: "\(message.place)/errors/\(index)", remedy: shared)
      }
    }
    for (place, events) in domain.offers {
      for (index, event) in events.enumerated() {
        try check(
          "event", event, in: homes.events, at: "\(place)/events/\(index)", remedy: "name one of this domain")
      }
    }
  }
}

extension Domain {
  /// The name of the file of types and errors that several domains use.
  static let commonName = "common"

  /// The places and events of its day measures and its agenda section.
  var offers: [(place: String, events: [String])] {
    measures.map { ($0.place, $0.events) } + (agenda.map { [($0.place, $0.events)] } ?? [])
  }

  /// Whether a definition in the file `home` may be referred to here.
  fileprivate func mayReferTo(_ home: Domain) -> Bool {
    if home.name == name || home.name == Domain.commonName { return true }
    if name == Domain.commonName { return false }
    return home.service == nil || home.service == service
  }
}
