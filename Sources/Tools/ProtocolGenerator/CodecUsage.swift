import ProtocolModel

/// Which types the service reads and which it writes: what crosses the wire towards it and from it, and what it stores.
struct CodecUsage {
  private let decoded: Set<String>
  private let encoded: Set<String>

  init(_ specification: Specification) {
    let stored = specification.allTypes.filter(\.isStored).map(\.name)
    let items = specification.requests.compactMap { $0.request?.partialItem?.reference }
    let known = specification.reachable(fromClient: true).union(specification.reachable(fromClient: false, and: items))
    // A type that no message mentions travels inside a `json` member, which may go either way.
    let others = specification.allTypes.map(\.name).filter { !known.contains($0) }
    decoded = specification.reachable(fromClient: true, and: stored + others)
    encoded = specification.reachable(fromClient: false, and: stored + items + others)
  }

  /// The names of the protocols that the service needs of a type.
  func protocols(of type: TypeDefinition) -> [String] {
    (decoded.contains(type.name) ? ["JSONDecodable"] : []) + (encoded.contains(type.name) ? ["JSONEncodable"] : [])
  }
}

extension Specification {
  /// The types that clients send (params of theirs, results of the service's requests) or receive (the same of the other side, data of
  /// errors), and `others`; directly or inside others.
  func reachable(fromClient: Bool, and others: [String] = []) -> Set<String> {
    let types = Dictionary(allTypes.map { ($0.name, $0) }) { first, _ in first }
    var open = others
    for message in requests + notifications {
      let isClients = fromClient ? message.direction.isFromClient : message.direction.isFromServer
      if isClients { open.append(message.params.name) }
      if let result = message.request?.result.reference, message.direction.isFromClient != fromClient {
        open.append(result)
      }
    }
    if !fromClient { open.append("ErrorData") }
    var seen: Set<String> = []
    while let name = open.popLast() {
      guard seen.insert(name).inserted, let type = types[name] else { continue }
      open += type.members.compactMap(\.type.reference)
    }
    return seen
  }
}
