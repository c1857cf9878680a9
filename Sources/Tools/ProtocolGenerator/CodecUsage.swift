import ProtocolModel

/// The types that the service decodes and encodes: those of messages in either direction, and stored ones.
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
    // Types that no message refers to are carried in `json` members, in either direction.
    let others = specification.allTypes.map(\.name).filter { !known.contains($0) }
    decoded = specification.reachable(fromClient: true, and: stored + others)
    encoded = specification.reachable(fromClient: false, and: stored + items + others)
    let inside = Set(specification.allTypes.flatMap { $0.members.compactMap(\.type.reference) } + stored)
    let all = specification.requests + specification.notifications
    messages = Set(all.flatMap { [$0.params.name] + ($0.request?.result.reference.map { [$0] } ?? []) })
      .subtracting(inside)
    let requests = specification.requests.filter(\.direction.isFromClient)
    let results = requests.filter { $0.request?.isDeferred == false && $0.request?.isKept == false }
    plain = Set(requests.filter { $0.plainVerb != nil }.compactMap { $0.request?.result.reference }).subtracting(inside)
    direct = Set(requests.map(\.params.name) + results.compactMap { $0.request?.result.reference }).subtracting(inside)
  }

  /// Whether the service has the type at all; it writes the results of plain requests without one.
  func isUsedByService(_ type: TypeDefinition) -> Bool { !plain.contains(type.name) }

  /// The codec protocols whose functions the service needs for a type.
  func codecs(of type: TypeDefinition) -> [String] {
    (decoded.contains(type.name) ? ["JSONDecodable"] : []) + (encoded.contains(type.name) ? ["JSONEncodable"] : [])
  }

  /// The protocols that a type conforms to in the service. Messages are not compared. Params and results of requests
  /// are used only by name, without conformances, whose metadata would be larger than their code.
  func protocols(of type: TypeDefinition) -> [String] {
    if direct.contains(type.name) { return [] }
    if messages.contains(type.name) { return codecs(of: type) }
    if case .enumeration = type.kind { return ["Hashable"] + codecs(of: type) }
    return ["Equatable"] + codecs(of: type)
  }
}

extension Specification {
  /// The types that clients send (their params, and results of the service's requests) or receive (the reverse, and
  /// error data), and `others`, directly or nested.
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
