import ProtocolModel

/// Which types the service reads and which it writes: what crosses the wire towards it and from it, and what it stores.
struct CodecUsage {
  private let decoded: Set<String>
  private let encoded: Set<String>
  private let messages: Set<String>
  private let direct: Set<String>
  private let plain: Set<String>

  init(_ specification: Specification) {
    let stored = specification.allTypes.filter(\.isStored).map(\.name)
    let items = specification.requests.compactMap { $0.request?.partialItem?.reference }
    let known = specification.reachable(fromClient: true).union(specification.reachable(fromClient: false, and: items))
    // A type that no message mentions travels inside a `json` member, which may go either way.
    let others = specification.allTypes.map(\.name).filter { !known.contains($0) }
    decoded = specification.reachable(fromClient: true, and: stored + others)
    encoded = specification.reachable(fromClient: false, and: stored + items + others)
    let inside = Set(specification.allTypes.flatMap { $0.members.compactMap(\.type.reference) } + stored)
    let all = specification.requests + specification.notifications
    messages = Set(all.flatMap { [$0.params.name] + ($0.request?.result.reference.map { [$0] } ?? []) })
      .subtracting(inside)
    let requests = specification.requests.filter(\.direction.isFromClient)
    let results = requests.filter { $0.request?.isHeavy == false && $0.request?.isKept == false }
    plain = Set(requests.filter { $0.plainVerb != nil }.compactMap { $0.request?.result.reference }).subtracting(inside)
    direct = Set(requests.map(\.params.name) + results.compactMap { $0.request?.result.reference }).subtracting(inside)
  }

  /// Whether the service has a type at all. Results of plain requests it writes without one.
  func isUsedByService(_ type: TypeDefinition) -> Bool { !plain.contains(type.name) }

  /// The names of the protocols of which the service needs the functions of a type.
  func codecs(of type: TypeDefinition) -> [String] {
    (decoded.contains(type.name) ? ["JSONDecodable"] : []) + (encoded.contains(type.name) ? ["JSONEncodable"] : [])
  }

  /// The names of the protocols that a type conforms to in the service. Messages are not compared; the params and the result of a
  /// request are only read and written by their names: without a conformance nothing keeps what Swift makes of a type for generic code,
  /// which is more than their own code.
  func protocols(of type: TypeDefinition) -> [String] {
    if direct.contains(type.name) { return [] }
    if messages.contains(type.name) { return codecs(of: type) }
    if case .enumeration = type.kind { return ["Hashable"] + codecs(of: type) }
    return ["Equatable"] + codecs(of: type)
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
