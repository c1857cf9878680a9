import FileStoreTesting
import JSON
import ProcessTesting
import ProtocolModel

/// Random params as the protocol declares them, often at the limits of what is allowed.
struct RandomParams {
  private let types: [String: TypeDefinition]
  private var random: SeededGenerator
  /// The ids in results, by the first part of the method's name.
  private var ids: [String: [String]] = [:]
  private static let currencies = ["EUR", "USD", "JPY"]

  init(_ specification: Specification, seed: UInt64) {
    types = Dictionary(specification.allTypes.map { ($0.name, $0) }) { first, _ in first }
    random = SeededGenerator(seed: seed)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[random.below(elements.count)]
  }

  /// Remembers the ids in a result.
  mutating func learn(_ result: JSONValue, of method: String) {
    let pool = String(method.prefix { $0 != "/" })
    if case .object(let object) = result {
      for member in object.members { learn(member.value, of: method) }
      if let id = result["id"]?.string, ids[pool, default: []].count < 200 { ids[pool, default: []].append(id) }
    }
    for element in result.array { learn(element, of: method) }
  }

  /// Params of a request.
  mutating func params(of request: Message) -> JSONValue {
    .object(object(request.params.members, method: request.method, depth: 0))
  }

  private mutating func object(_ members: [Member], method: String, depth: Int) -> JSONObject {
    var object = JSONObject()
    for member in members where !member.isOptional || random.once(in: 3) {
      // Neither the instants of another clock nor files.
      if member.isOptional, ["path", "revision", "cursor", "at", "limit"].contains(member.name) { continue }
      object[member.name] = value(member, member.type, method, depth)
    }
    return object
  }

  private mutating func value(_ member: Member, _ type: TypeExpression, _ method: String, _ depth: Int) -> JSONValue {
    switch type {
    case .null: return .null
    case .map: return .object(JSONObject())
    case .array(let inner):
      let count = depth > 4 ? 0 : random.below(4)
      return .array((0..<count).map { _ in value(member, inner, method, depth + 1) })
    case .named(let name):
      guard let type = types[name] else { return .null }
      if case .enumeration(let values) = type.kind { return pick(values).map { .string($0.name) } ?? .null }
      return .object(object(type.members, method: method, depth: depth + 1))
    case .scalar(let scalar): return self.scalar(scalar, member, method)
    }
  }

  private mutating func scalar(_ scalar: Scalar, _ member: Member, _ method: String) -> JSONValue {
    switch scalar {
    case .bool: return .bool(random.once(in: 2))
    case .int, .duration, .number: return .number(JSONNumber(number(member, most: 1000)))
    case .decimal:
      let digits = member.scale.map { "." + String(repeating: "1", count: $0) } ?? ""
      let whole = number(member, most: 1000)
      return .string("\(whole)" + (whole == member.maximum || random.once(in: 2) ? "" : digits))
    case .id: return .string(id(member, method))
    case .date: return .string("2026-01-\(["02", "03", "04", "05"][random.below(4)])")
    case .time: return .string("0\(random.below(10)):30")
    case .instant: return .string("2026-01-0\(random.below(4) + 1)T10:00:00.000Z")
    case .timezone: return .string(["UTC", "Europe/Berlin", "Pacific/Auckland"][random.below(3)])
    case .string:
      if member.name.lowercased().contains("currency") { return .string(RandomParams.currencies[random.below(3)]) }
      return .string(["Rice", "Bench Press", "Plank", "Walk"][random.below(4)])
    case .token, .json: return .string("x")
    }
  }

  /// The greatest, the least, or another number.
  private mutating func number(_ member: Member, most: Int) -> Int {
    let (low, high) = (member.minimum ?? 0, member.maximum ?? most)
    switch random.below(4) {
    case 0, 1: return high
    case 2: return low
    default: return low + random.below(max(1, high - low))
    }
  }

  /// A known id of what the member or the method names, or a new one.
  private mutating func id(_ member: Member, _ method: String) -> String {
    let noun = member.name.hasSuffix("Id") ? String(member.name.dropLast(2)) : ""
    let own = String(method.prefix { $0 != "/" })
    let pool = ids.keys.sorted().first { !noun.isEmpty && $0.lowercased().hasPrefix(noun.lowercased()) } ?? own
    let isNew = method.hasSuffix("/add") && member.name == "id"
    if !isNew, !random.once(in: 10), let known = pick(ids[pool] ?? []) { return known }
    let digits = String(random.next() & 0xFFFF_FFFF | 0x1_0000_0000, radix: 16).suffix(8)
    return "\(digits)-0000-4000-8000-000000000000"
  }
}
